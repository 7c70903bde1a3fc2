#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the export table of the built library with libgomp's, symbol and version.

Fails when a symbol of the reference (or of the list of later additions) is missing, has another
version or another default version; when the list of omissions is stale; and when the library
exports under one of these versions something that neither table knows.
"""
import argparse
import fnmatch
import subprocess
import sys


def exports(nm, library):
    """Set of (symbol, version, is default version) that `library` defines for others."""
    listing = subprocess.run([nm, "-D", "--defined-only", "--with-symbol-versions", library],
                             check=True, capture_output=True, text=True).stdout
    found = set()
    for line in listing.splitlines():
        kind, name = line.split()[-2:]
        symbol, at, version = name.partition("@")
        if kind != "A" and at:
            found.add((symbol, version.lstrip("@"), version.startswith("@")))
    if not found:
        sys.exit(f"{library}: no versioned symbol at all")
    return found


def entries(path):
    with open(path, encoding="utf-8") as lines:
        return [line.split(None, 1) for line in lines if line.strip() and line[0] != "#"]


def shown(symbols):
    return sorted(f"{name}@{'@' if default else ''}{version}" for name, version, default in symbols)


def main():
    parser = argparse.ArgumentParser()
    for option in ("nm", "library", "reference", "later", "omitted"):
        parser.add_argument("--" + option, required=True)
    args = parser.parse_args()

    reference = exports(args.nm, args.reference)
    later = {(symbol, version.strip(), True) for symbol, version in entries(args.later)}
    ours = exports(args.nm, args.library)
    failures = []

    omitted = set()
    for pattern, _reason in entries(args.omitted):
        matched = {entry for entry in reference if fnmatch.fnmatchcase(entry[0], pattern)}
        if not matched:
            failures.append(f"omission {pattern} matches nothing in {args.reference}")
        exported = {entry for entry in ours if fnmatch.fnmatchcase(entry[0], pattern)}
        failures += [f"omission {pattern} is exported: {name}" for name in shown(exported)]
        omitted |= matched

    wanted = (reference - omitted) | later
    failures += [f"missing: {name}" for name in shown(wanted - ours)]
    versions = {version for _symbol, version, _default in wanted}
    unknown = {entry for entry in ours - wanted if entry[1] in versions}
    failures += [f"unknown to libgomp: {name}" for name in shown(unknown)]

    print(f"{len(wanted)} symbols wanted, {len(omitted)} omitted by pattern, {len(ours)} exported")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
