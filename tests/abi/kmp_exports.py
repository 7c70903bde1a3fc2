#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the exports of the built library with libomp's, routines of OpenMP aside, or, with --node, with those of
another library of LLVM's under that node, routines included.

Each symbol of libomp other than omp_* and ompc_* is wanted under the same version; so is each of a
list of symbols that later libraries and Intel's have. Omissions are named with their reason and must
not be stale. The library is also looked through for symbols that neither list knows.
"""
import argparse
import fnmatch
import subprocess
import sys

ROUTINES = ("omp_", "ompc_", "ompx_", "llvm_omp_")
LIBOMP_NODE = "VERSION"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(nm, library, left_out):
    """Set of (symbol, version)."""
    found = set()
    for line in run(nm, "-D", "--defined-only", "--with-symbol-versions", library).splitlines():
        kind, name = line.split()[-2:]
        symbol, _at, version = name.partition("@")
        if kind != "A" and not (left_out and symbol.startswith(left_out)):
            found.add((symbol, version.lstrip("@")))
    return found


def entries(path):
    """Pairs (pattern, reason)."""
    with open(path, encoding="utf-8") as lines:
        split = [line.split(None, 1) for line in lines if line.strip() and line[0] != "#"]
    return [(entry[0], entry[1].strip() if len(entry) > 1 else "") for entry in split]


def main():
    parser = argparse.ArgumentParser()
    for option in ("nm", "library", "libomp", "later", "omitted"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--node", default=LIBOMP_NODE)
    parser.add_argument("--least", type=int, default=500)
    args = parser.parse_args()

    left_out = ROUTINES if args.node == LIBOMP_NODE else ()
    libomp = exports(args.nm, args.libomp, left_out)
    later = {(symbol, args.node) for symbol, _reason in entries(args.later)}
    ours = exports(args.nm, args.library, left_out)
    our_names = {symbol for symbol, version in ours if args.node in (LIBOMP_NODE, version)}
    wanted = libomp | later
    if len(libomp) < args.least:
        sys.exit("the table to compare with is not libomp's")

    failures, omitted = [], set()
    for pattern, reason in entries(args.omitted):
        matched = set(fnmatch.filter({symbol for symbol, _version in libomp}, pattern))
        if not matched:
            failures.append(f"omission {pattern} matches nothing")
        if not reason:
            failures.append(f"omission {pattern} has no reason")
        failures += [f"omitted, yet exported: {name}" for name in sorted(matched & our_names)]
        omitted |= matched

    missing = {entry for entry in wanted - ours if entry[0] not in omitted}
    failures += [f"missing: {symbol}@{version}" for symbol, version in sorted(missing)]
    extra = {symbol for symbol, version in ours if version == args.node} - {s for s, _v in wanted}
    failures += [f"neither libomp's nor listed: {symbol}" for symbol in sorted(extra)]

    print(f"{len(libomp)} symbols of libomp, {len(later)} later ones, {len(ours)} of ours")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
