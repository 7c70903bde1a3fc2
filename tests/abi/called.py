#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each exported entry is called by a test: that it is imported by a program that was built
for one, or printed by api_calls, which looks its entries up, or listed in called.elsewhere.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

PLAIN = {name: value for name, value in os.environ.items()
         if not name.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_"))}


def symbols(nm, file, *options):
    listing = subprocess.run([nm, "-D", *options, file], capture_output=True, text=True, check=False)
    found = set()
    for line in listing.stdout.splitlines():
        *_address, kind, name = line.split()
        if kind != "A":
            found.add(name.partition("@")[0])
    return found


def is_program(path):
    if path.is_symlink() or not path.is_file() or not os.access(path, os.X_OK):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def elsewhere(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.split(None, 1)[0] for line in lines if line.strip() and line[0] != "#"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--api-calls", required=True)
    parser.add_argument("--elsewhere", type=pathlib.Path, required=True)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    args = parser.parse_args()

    exported = symbols(args.nm, args.library, "--defined-only")
    programs = [path for folder in args.folders for path in folder.rglob("*") if is_program(path)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        called = set().union(*pool.map(lambda path: symbols(args.nm, path, "-u"), programs))
    looked_up = subprocess.run([args.api_calls, args.library], capture_output=True, text=True,
                               timeout=300, env=PLAIN, check=True).stdout
    called |= {line.split()[0] for line in looked_up.splitlines()}
    listed = elsewhere(args.elsewhere)

    print(f"{len(exported)} exported, {len(programs)} programs, {len(exported & called)} called")
    failures = [f"called by no test: {name}" for name in sorted(exported - called - listed)]
    failures += [f"listed, yet not exported: {name}" for name in sorted(listed - exported)]
    print("\n".join(failures))
    return 1 if failures or not exported or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
