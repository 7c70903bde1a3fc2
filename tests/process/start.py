# SPDX-License-Identifier: Apache-2.0
"""A program that opens one region starts at most 2 ms later than under the system's libgomp.

The two take turns, and the best run of each counts: what others do to the machine only ever adds.
It goes on until the best runs hold the limit, or there have been too many.
"""
import os
import subprocess
import sys
import time

PROGRAM, LIBDIR = sys.argv[1:3]
LIMIT, FEWEST, MOST = 2e-3, 20, 300


def environment(**own):
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_"))}
    return {**kept, **own}


SYSTEM = environment()
TULLE = environment(LD_LIBRARY_PATH=LIBDIR)


def loaded_by(env):
    return subprocess.run(["ldd", PROGRAM], env=env, capture_output=True, text=True, check=True).stdout


def run(env):
    begin = time.monotonic()
    process = subprocess.Popen([PROGRAM], env=env)
    status = process.wait(timeout=300)
    if status != 0:
        sys.exit(f"exit status {status}")
    return time.monotonic() - begin


if LIBDIR not in loaded_by(TULLE) or LIBDIR in loaded_by(SYSTEM):
    sys.exit("the program does not run on the runtimes that are to be compared")
ours = theirs = float("inf")
for turn in range(1, MOST + 1):
    theirs = min(theirs, run(SYSTEM))
    ours = min(ours, run(TULLE))
    if turn >= FEWEST and ours - theirs <= LIMIT:
        break
print(f"{turn} runs of each: {ours * 1e3:.2f} ms, {theirs * 1e3:.2f} ms under libgomp")
sys.exit(ours - theirs > LIMIT)
