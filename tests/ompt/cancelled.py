# SPDX-License-Identifier: Apache-2.0
"""What a tool is told of cancellation, by number.

usage: cancelled.py PROGRAM CHECKER COMPILER
"""
import os
import re
import subprocess
import sys

THREADS = 4
# One thread cancels each of the four; the others leave the region at its barrier and the loop at its cancellation point.
# Who cancels a region passes a barrier of Clang's on its way out, and finds it cancelled, too.
EXPECTED = {
    "gcc": {"cancel_activated": 4, "cancel_detected": 2 * (THREADS - 1), "cancel_discarded": 10},
    "clang": {"cancel_activated": 4, "cancel_detected": 2 * (THREADS - 1) + 1, "cancel_discarded": 10},
}


def main():
    program, checker, compiler = sys.argv[1:]
    expected = EXPECTED[compiler]
    for cancellation in (True, False):
        env = dict(os.environ, OMP_NUM_THREADS=str(THREADS), OMP_CANCELLATION=str(cancellation),
                   OMP_TOOL_LIBRARIES=checker)
        answer = subprocess.run([program], env=env, capture_output=True, text=True, timeout=60)
        told = {name: int(count) for name, count in re.findall(r"^ompt: (\w+) (\d+)$", answer.stdout, re.M)}
        wanted = {name: count if cancellation else 0 for name, count in expected.items()}
        found = {name: told.get(name, 0) for name in expected}
        if answer.returncode != 0 or found != wanted:
            sys.exit(f"OMP_CANCELLATION={cancellation}: {found}, not {wanted}\n{answer.stdout}{answer.stderr}")


if __name__ == "__main__":
    main()
