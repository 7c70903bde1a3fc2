#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program once for each n from 1 on, with the nth call of a function failing, until there is no
# such call, or to LAST.
# usage: fail_each.sh FAILING_LIBRARY CALL COUNT LAST PROGRAM
#   COUNT   how many calls fail from the nth on; 0: all
# Each run says "went on" and ends with 0, or ends by abort() with a message of the runtime.

library=$1 call=$2 count=$3 last=$4 program=$5
export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
ulimit -c 0
failures=0
for ((n = 1; n <= last; n++)); do
  output=$(FAIL_CALL=$call FAIL_FIRST=$n FAIL_COUNT=$count LD_PRELOAD=$library \
    timeout -k 1 60 "$program" 2>&1)
  status=$?
  if [ $status = 0 ] && [[ $output == *"went on"* ]]; then
    [[ $output == *"no such call"* ]] && break
    continue
  fi
  [ $status = 134 ] && grep -Eq "^tulle: .*(no|out of) memory" <<<"$output" && continue
  echo "$program: call $n of $call fails: exit status $status"
  echo "$output"
  failures=$((failures + 1))
done
echo "ended before call $n"
[ $failures = 0 ]
