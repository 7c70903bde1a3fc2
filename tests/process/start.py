# SPDX-License-Identifier: Apache-2.0
"""What loading the library, opening a first region, running on it in place of the system's libgomp, and doing so by
`tulle run` may cost a process.

Two ways of running take turns, and the best run of each counts: what others do to the machine only ever adds.
It goes on until the best runs hold the limit, or there have been too many.
usage: start.py loading|region|bound|libgomp|command ONE_REGION NOTHING LIBDIR [COMMAND]"""
import os
import subprocess
import sys
import time

CASE, ONE_REGION, NOTHING, LIBDIR = sys.argv[1:5]
FEWEST, MOST = 20, 3000


def environment(**own):
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_"))}
    return {**kept, **own}


SYSTEM = environment()
TULLE = environment(LD_LIBRARY_PATH=LIBDIR)
BOUND = {**TULLE, "OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
PRELOADED = environment(LD_PRELOAD=f"{LIBDIR}/libgomp.so.1")
# What is measured, what it is measured against, and by how many seconds it may take longer.
CASES = {
    "loading": ((NOTHING, PRELOADED), (NOTHING, SYSTEM), 300e-6),
    "region": ((ONE_REGION, TULLE), (NOTHING, PRELOADED), 1e-3),
    "bound": ((ONE_REGION, BOUND), (NOTHING, PRELOADED), 2e-3),
    "libgomp": ((ONE_REGION, TULLE), (ONE_REGION, SYSTEM), 1e-3),
    "command": ((ONE_REGION, SYSTEM), (ONE_REGION, PRELOADED), 2.5e-3),
}
WORDS = [sys.argv[5], "run", "--"] if CASE == "command" else []


def loads_tulle(program, env):
    shown = subprocess.run([program], env={**env, "LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True,
                           check=True).stdout
    return LIBDIR in shown


def run(program, env, words=()):
    command = [*words, program]
    begin = time.monotonic()
    _, status = os.waitpid(os.posix_spawn(command[0], command, env), 0)
    if status != 0:
        sys.exit(f"{program}: wait status {status}")
    return time.monotonic() - begin


ours, theirs, limit = CASES[CASE]
if loads_tulle(*ours) == (CASE == "command") or loads_tulle(*theirs) != (CASE in ("region", "bound", "command")):
    sys.exit("the programs do not run on the runtimes that are to be compared")
least, most = float("inf"), float("inf")
for turn in range(1, MOST + 1):
    least, most = min(least, run(*theirs)), min(most, run(*ours, WORDS))
    if turn >= FEWEST and most - least <= limit:
        break
more = most - least
print(f"{CASE}: {turn} runs of each: {1e6 * more:.0f} us more than {1e6 * least:.0f}, at most {1e6 * limit:.0f}")
sys.exit(most - least > limit)
