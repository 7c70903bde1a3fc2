#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program that was built with a sanitizer, on the runtime in TULLE_RUNTIME_DIR.
# usage: run.sh clean|race PROGRAM [VARIABLE=VALUE...]
#   clean   it ends well and nothing is reported, at 2, 4 and 16 threads
#   race    ThreadSanitizer reports a data race, at the latest in the thirtieth run: whether the threads
#           of a race come to lie on different stacks is up to the scheduler, which gets workers enough
expected=$1
program=$2
shift 2
for setting in "$@"; do export "${setting?}"; done
export LD_LIBRARY_PATH="$TULLE_RUNTIME_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# The thread sanitizer of GCC 12 cannot place its shadow where the kernel randomises addresses widely.
fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

if ! ldd "$program" | grep -qF "$TULLE_RUNTIME_DIR/"; then
  echo "$program does not run on the runtime in $TULLE_RUNTIME_DIR" >&2
  exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# With a tool: it is there, and it registers.
if [ -n "$OMP_TOOL_LIBRARIES" ]; then
  if [ ! -e "$OMP_TOOL_LIBRARIES" ]; then
    echo "no $OMP_TOOL_LIBRARIES: skipped"
    exit 77
  fi
  OMP_TOOL_VERBOSE_INIT=$log OMP_NUM_THREADS=2 timeout -k 1 180 $fixed "$program" >/dev/null 2>&1
  if ! grep -qF "$OMP_TOOL_LIBRARIES: registered" "$log"; then
    echo "$OMP_TOOL_LIBRARIES does not register" >&2
    exit 1
  fi
fi

if [ "$expected" = race ]; then
  for run in {1..30}; do
    TULLE_WORKERS=4 timeout -k 1 180 $fixed "$program" >"$log" 2>&1
    grep -q 'ThreadSanitizer: data race' "$log" && exit 0
  done
  echo "$program: no race is reported" >&2
  cat "$log" >&2
  exit 1
fi
# Instead of the second that ThreadSanitizer waits for races at the end of a program.
export TSAN_OPTIONS="atexit_sleep_ms=100${TSAN_OPTIONS:+:$TSAN_OPTIONS}"
for count in 2 4 16; do
  OMP_NUM_THREADS=$count timeout -k 1 180 $fixed "$program" >"$log" 2>&1
  status=$?
  if [ $status != 0 ] || grep -qE 'WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer|ASan is ignoring' "$log"; then
    echo "$program: OMP_NUM_THREADS=$count: exit status $status" >&2
    head -200 "$log" >&2
    exit 1
  fi
done
