#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the omp_* and ompc_* exports of the built library with libomp's and clang's omp.h.

Each symbol of libomp is wanted under libomp's node and under each older one that libomp gives it.
Each routine that the header declares is wanted under any node. Omissions must not be stale.
"""
import argparse
import fnmatch
import re
import subprocess
import sys

ROUTINE = re.compile(r"\b((?:omp|ompc|ompt|ompx|llvm_omp)_\w+)\s*\(")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(nm, library):
    """Set of (symbol, version)."""
    found = set()
    for line in run(nm, "-D", "--defined-only", "--with-symbol-versions", library).splitlines():
        kind, name = line.split()[-2:]
        symbol, at, version = name.partition("@")
        if kind != "A" and at and symbol.startswith(("omp_", "ompc_", "ompt_", "llvm_omp_")):
            found.add((symbol, version.lstrip("@")))
    return found


def declared(clang, header):
    """Routines declared in the header, after preprocessing (macros rename some)."""
    text = run(clang, "-E", "-P", "-xc", "-fopenmp", header)
    text = re.sub(r"#pragma omp begin declare variant.*?#pragma omp end declare variant", "", text,
                  flags=re.DOTALL)
    return set(ROUTINE.findall(text))


def entries(path):
    with open(path, encoding="utf-8") as lines:
        return [line.split(None, 1)[0] for line in lines if line.strip() and line[0] != "#"]


def main():
    parser = argparse.ArgumentParser()
    for option in ("nm", "library", "libomp", "clang", "header", "omitted"):
        parser.add_argument("--" + option, required=True)
    args = parser.parse_args()

    libomp = exports(args.nm, args.libomp)
    header = declared(args.clang, args.header)
    ours = exports(args.nm, args.library)
    if not libomp or not header:
        sys.exit("nothing to compare with")
    our_names = {symbol for symbol, _version in ours}
    their_names = {symbol for symbol, _version in libomp} | header

    failures, omitted = [], set()
    for pattern in entries(args.omitted):
        matched = set(fnmatch.filter(their_names, pattern))
        if not matched:
            failures.append(f"omission {pattern} matches nothing")
        failures += [f"omitted, yet exported: {name}" for name in sorted(matched & our_names)]
        omitted |= matched

    missing = {entry for entry in libomp - ours if entry[0] not in omitted}
    failures += [f"missing: {symbol}@{version}" for symbol, version in sorted(missing)]
    failures += [f"declared in omp.h, missing: {name}"
                 for name in sorted(header - our_names - omitted)]

    print(f"{len(libomp)} symbols of libomp, {len(header)} routines of omp.h, {len(ours)} of ours")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
