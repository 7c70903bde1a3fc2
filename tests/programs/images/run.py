#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ImageMagick's parallel operations (Debian's build links libgomp) on libgomp and on Tulle.

The picture is made by the program itself; all pixels of each result must be the same.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import compare

OPERATIONS = {
    "blur": ["-gaussian-blur", "0x3"],
    "resize": ["-resize", "731x517"],
    "rotate": ["-rotate", "31"],
    "wave and sharpen": ["-wave", "12x90", "-unsharp", "0x2"],
    "colours": ["-modulate", "110,70,90", "-sigmoidal-contrast", "4x50%"],
    "edges": ["-colorspace", "gray", "-canny", "0x1+10%+30%"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--convert", required=True)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    args = parser.parse_args()

    own = compare.environment(1)
    if not compare.has_runtime(args.convert, compare.environment(1, args.runtime), args.runtime):
        sys.exit(f"{args.convert} does not take its runtime from {args.runtime}")
    wrong = 0
    for what, operation in OPERATIONS.items():
        command = [args.convert, "-size", "400x300", "plasma:fractal", "-depth", "8"]
        command[1:1] = ["-seed", "7"]
        command += [*operation, "-format", "%#", "info:"]
        wanted = compare.run(command, own)
        for threads in (2, 16):
            got = compare.run(command, compare.environment(threads, args.runtime))
            wrong += not compare.report(what, threads, bool(wanted.strip()) and got == wanted)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
