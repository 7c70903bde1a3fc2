#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Debian's numpy on Debian's OpenBLAS for OpenMP, under libgomp and under Tulle.

Results agree to eight digits: OpenBLAS divides its work by the number of threads. In a child after
fork() they are asked for under Tulle only, since libgomp hangs there.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import compare

PROGRAM = pathlib.Path(__file__).with_name("algebra.py")
DIGITS = 1e-8


def values(output):
    lines = [line.rsplit(" = ", 1) for line in output.splitlines() if " = " in line]
    return {what: float(value) for what, value in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True)
    parser.add_argument("--openblas", type=pathlib.Path, required=True)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    args = parser.parse_args()

    own = {"LD_LIBRARY_PATH": str(args.openblas)}
    ours = {"LD_LIBRARY_PATH": f"{args.runtime}:{args.openblas}", "FORK": "1"}
    wanted = values(compare.run([args.python, PROGRAM], compare.environment(1, **own)))
    wrong = not wanted
    for threads in (2, 16):
        output = compare.run([args.python, PROGRAM], compare.environment(threads, **ours))
        if f"loaded: {args.runtime}" not in output or f"{args.openblas}" not in output:
            sys.exit(f"not on Tulle and OpenBLAS:\n{output}")
        got = values(output)
        parts = {what.partition(": ")[2]: value for what, value in wanted.items()}
        same = len(got) == len(wanted) + len(parts) and all(
            abs(value - parts[what.partition(": ")[2]]) <= DIGITS * abs(value)
            for what, value in got.items())
        wrong += not compare.report("numpy with OpenBLAS", threads, same, f" ({len(got)} values)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
