#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emulated.sh part|all [JOBS]: the runtime built by Debian's cross compilers for aarch64, and the tests that QEMU's
# user emulation runs, a few of them or all; then the packages too. Without the compilers or QEMU it says so, and that is all.
set -eu
cd "$(dirname "$0")/.."
what=$1
jobs=${2:-$(nproc)}
build=build/aarch64

lacks() { echo "aarch64: not tested, there is no $1"; exit 0; }
for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++; do
  command -v "$tool" >/dev/null || lacks "$tool"
done
command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null || lacks "qemu-aarch64"
[ -d /usr/src/googletest ] || lacks "/usr/src/googletest"

case $what in
  part) targets=emulated_part chosen=part ;;
  all) targets=all chosen=. ;;
  *) echo "usage: emulated.sh part|all [JOBS]" >&2; exit 2 ;;
esac
echo "aarch64 by emulation: $what"
run() { "$@" >>$build/$what.log 2>&1 || { tail -n 200 $build/$what.log; exit 1; }; }
mkdir -p $build
: >$build/$what.log
run cmake --preset aarch64
run cmake --build --preset aarch64 -j "$jobs" -t $targets
run ctest --preset aarch64 -L "$chosen" -j "$jobs" --no-tests=error
grep 'tests passed' $build/$what.log
[ "$what" = all ] || exit 0
run make wheel-aarch64 deb-aarch64 "JOBS=$jobs"
python3 tests/build/cross.py dist aarch64-linux-gnu-gcc "$(command -v qemu-aarch64-static || command -v qemu-aarch64)" \
  /usr/aarch64-linux-gnu
