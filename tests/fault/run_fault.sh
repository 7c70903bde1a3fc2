#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program that is to end in a certain way.
# usage: run_fault.sh STATUS PATTERN [VARIABLE=VALUE...] PROGRAM [ARGUMENT...]
#   STATUS    exit status, as the shell sees it: 128 + number for a signal; or several
#   PATTERN   what its output, standard error included, must match (grep -E); empty: nothing
#   TULLE_LIMITS          options of ulimit
#   TULLE_COUNT_TIMEOUT   seconds that it may take, default 60
#   TULLE_RUNTIME_DIR     put in front of LD_LIBRARY_PATH

expected=$1 pattern=$2
shift 2
while [[ $1 =~ ^[A-Z_]+= ]]; do
  export "$1"
  shift
done
if [ ! -e "$TULLE_RUNTIME_DIR/libgomp.so.1" ]; then
  echo "no runtime in $TULLE_RUNTIME_DIR"
  exit 1
fi
export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
ulimit -c 0
[ -z "$TULLE_LIMITS" ] || ulimit $TULLE_LIMITS || exit 1
output=$(timeout -k 1 "${TULLE_COUNT_TIMEOUT:-60}" "$@" 2>&1)
status=$?
[ $status = 77 ] && echo "$output" && exit 77
if [[ " $expected " != *" $status "* ]]; then
  echo "$*: exit status $status, not $expected"
  echo "$output"
  exit 1
fi
if [ -n "$pattern" ] && ! grep -Eq "$pattern" <<<"$output"; then
  echo "$*: nothing that matches \"$pattern\" in:"
  echo "$output"
  exit 1
fi
