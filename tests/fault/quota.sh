#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program under CPU quotas; its argument is the number of CPUs that it should find.
# usage: quota.sh PROGRAM
# Exit status 77: no quota can be set here.

. "${0%/*}/in_group.sh"
program=$1
export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
failures=0
for case in 50000:1 100000:1 110000:2 200000:2 350000:4; do
  quota=${case%:*} cpus=${case#*:}
  if [ -d /sys/fs/cgroup/cpu ]; then
    settings=(cpu.cfs_period_us 100000 cpu.cfs_quota_us "$quota")
  else
    settings=(cpu.max "$quota 100000")
  fi
  in_group cpu "${settings[@]}" timeout -k 1 60 "$program" "$cpus"
  status=$?
  [ $status = 77 ] && exit 77
  [ $status = 0 ] && continue
  echo "quota of $quota in 100000: exit status $status"
  failures=$((failures + 1))
done
[ $failures = 0 ]
