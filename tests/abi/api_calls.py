#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs api_calls and checks that it called every exported omp_* routine, in every version.

The event of omp_fulfill_event needs a detached task, which the conformance programs make.
"""
import argparse
import os
import subprocess
import sys

ELSEWHERE = {"omp_fulfill_event", "omp_fulfill_event_"}


def main():
    parser = argparse.ArgumentParser()
    for option in ("nm", "library", "program"):
        parser.add_argument("--" + option, required=True)
    args = parser.parse_args()

    plain = {name: value for name, value in os.environ.items()
             if not name.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_"))}
    run = subprocess.run([args.program, args.library], capture_output=True, text=True, timeout=300,
                         env=plain)
    called = {tuple(line.split()) for line in run.stdout.splitlines()}
    listing = subprocess.run([args.nm, "-D", "--defined-only", "--with-symbol-versions",
                              args.library], check=True, capture_output=True, text=True).stdout
    exported = set()
    for line in listing.splitlines():
        kind, name = line.split()[-2:]
        symbol, _at, version = name.partition("@")
        if kind != "A" and symbol.startswith(("omp_", "ompc_")) and symbol not in ELSEWHERE:
            exported.add((symbol, version.lstrip("@")))

    print(f"{len(called)} called, {len(exported)} exported, exit status {run.returncode}")
    print(run.stderr[-4000:])
    for symbol, version in sorted(exported - called):
        print(f"never called: {symbol}@{version}")
    return 1 if run.returncode != 0 or exported - called or not exported else 0


if __name__ == "__main__":
    sys.exit(main())
