#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program where the system grants only so many OS threads; it goes on with fewer.
# usage: few_threads.sh limit|group PROGRAM COUNT...
#   limit   RLIMIT_NPROC, as a user who has no other process
#   group   pids.max of a control group, which `timeout` is in too
# Exit status 77: this cannot be arranged here.

how=$1 program=$2
shift 2
. "${0%/*}/in_group.sh"
[ "$(id -u)" = 0 ] || skip "only root can become a user without processes, or make control groups"
uid=$((100000 + $$))  # no other test's at the same time: the limit counts all of a user's OS threads
export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if [ "$how" = limit ]; then
  as_user=(setpriv --reuid $uid --regid $uid --clear-groups)
  "${as_user[@]}" test -x "$program" -a -r "$TULLE_RUNTIME_DIR/libgomp.so.1" ||
    skip "another user cannot run $program"
fi
failures=0
for count in "$@"; do
  if [ "$how" = limit ]; then
    output=$(ulimit -u "$count"; timeout -k 1 60 "${as_user[@]}" "$program" 2>&1)
  else
    output=$(in_group pids pids.max $((count + 1)) timeout -k 1 60 "$program" 2>&1)
  fi
  status=$?
  [ $status = 77 ] && skip "$output"
  [ $status = 0 ] && [[ $output == *"went on"* ]] && continue
  echo "$count OS threads: exit status $status"
  echo "$output"
  failures=$((failures + 1))
done
[ $failures = 0 ]
