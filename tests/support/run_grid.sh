#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one program at every thread count of the grid and names each count that fails.
# usage: run_grid.sh PROGRAM [VARIABLE=VALUE...]
#   TULLE_GRID            thread counts, default "1 2 4 16 64"; "-" leaves OMP_NUM_THREADS alone
#   TULLE_COUNT_TIMEOUT   seconds that each count may take, default 60
#   TULLE_RUNTIME_DIR     put in front of LD_LIBRARY_PATH
#   TULLE_EMULATOR        what runs programs for another processor, with its options
#   TULLE_EXPECT_RUNTIME  1: the OpenMP runtime must be found in TULLE_RUNTIME_DIR

program=$1
shift
for setting in "$@"; do export "${setting?}"; done
if [ -n "$TULLE_RUNTIME_DIR" ]; then
  export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi

if [ "$TULLE_EXPECT_RUNTIME" = 1 ]; then
  found=0
  while read -r name _ path _; do
    case $name in
      libgomp.so.1 | libomp.so.5 | libomp5.so | libiomp5.so) ;;
      *) continue ;;
    esac
    found=1
    if [ "${path%/*}" != "$TULLE_RUNTIME_DIR" ]; then
      echo "$program: $name is $path, not in $TULLE_RUNTIME_DIR" >&2
      exit 1
    fi
  done < <(LD_TRACE_LOADED_OBJECTS=1 $TULLE_EMULATOR "$program")
  if [ $found = 0 ]; then
    echo "$program needs no OpenMP runtime" >&2
    exit 1
  fi
fi

failures=0
for count in ${TULLE_GRID:-1 2 4 16 64}; do
  [ "$count" = - ] || export OMP_NUM_THREADS=$count
  timeout -k 1 "${TULLE_COUNT_TIMEOUT:-60}" $TULLE_EMULATOR "$program"
  status=$?
  [ $status = 0 ] && continue
  failures=$((failures + 1))
  case $status in
    124 | 137) reason="no end after ${TULLE_COUNT_TIMEOUT:-60} s" ;;
    *) reason="exit status $status" ;;
  esac
  echo "$program: OMP_NUM_THREADS=$count: $reason" >&2
done
[ $failures = 0 ]
