# SPDX-License-Identifier: Apache-2.0
"""The pairs of tasks that a tool is told of, each once.

usage: pairs.py PROGRAM TOOL COMPILER
"""
import os
import re
import subprocess
import sys

# What follows another one by way of a third is not told of as following it.
PAIRS = {(1, 2), (1, 3), (2, 4), (3, 4), (4, 6), (6, 7), (3, 8), (3, 9)}
# Clang's code waits for what an undeferred task follows without a word of that task.
UNDEFERRED = {"gcc": {(6, 10)}, "clang": set()}


def main():
    program, tool, compiler = sys.argv[1:]
    pairs = PAIRS | UNDEFERRED[compiler]
    for threads in (2, 8):
        env = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_TOOL_LIBRARIES=tool)
        answer = subprocess.run([program, str(len(pairs))], env=env, capture_output=True, text=True, timeout=60)
        told = [tuple(map(int, pair)) for pair in re.findall(r"^pair (\d+) (\d+)$", answer.stdout, re.M)]
        if answer.returncode != 0 or len(told) != len(set(told)) or set(told) != pairs:
            sys.exit(f"{sorted(told)}, not {sorted(pairs)}\n{answer.stderr}")


if __name__ == "__main__":
    main()
