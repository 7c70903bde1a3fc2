# SPDX-License-Identifier: Apache-2.0
"""EZTrace as Debian builds it writes a trace of what the program does, and otf2-print reads it back: as many regions and
tasks as there are, and each thread leaves what it has entered. (In what order is EZTrace's own affair: it leaves tasks
that it never entered, with LLVM's runtime too.)

usage: eztrace.py PROGRAM EZTRACE_OMPT OTF2_PRINT
"""
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import loading

# EZTrace begins this, and counts a lock as acquired, where somebody begins to ask for one; it ends it where he has got it. A
# nestable lock that the thread has already, and a lock that is tested in vain, are never acquired anew.
LOCK = "OpenMP acquire mutex"
# Two critical sections, a lock that is set, a nestable one, a lock that is tested until it is free; ordered regions.
TAKEN = 5 * loading.THREADS + loading.ORDERED
NESTED = loading.THREADS


def record(program, library, folder):
    """The trace's file. The library that EZTrace preloads lies beside its module for OMPT."""
    library = Path(library)
    ours = os.environ["LD_LIBRARY_PATH"]
    env = dict(os.environ, OMP_NUM_THREADS=str(loading.THREADS), EZTRACE_TRACE="ompt", EZTRACE_TRACE_DIR=folder,
               EZTRACE_LIBRARY_PATH=str(library.parent), LD_LIBRARY_PATH=f"{ours}:{library.parent}",
               LD_PRELOAD=f"{library.with_name('libeztrace-lib.so')}:{library}")
    subprocess.run([program], env=env, check=True, timeout=100)
    return next(Path(folder).rglob("eztrace_log.otf2"))


def events(otf2_print, trace):
    said = subprocess.run([otf2_print, trace], capture_output=True, text=True, timeout=100, check=True,
                          env={"PATH": os.environ["PATH"]}).stdout
    for kind, location, rest in re.findall(r"^([A-Z_]+)\s+(\d+)\s+\d+\s*(.*)$", said, re.M):
        region = re.search(r'Region: "([^"]*)"', rest)
        yield kind, location, region.group(1) if region else None


def main():
    program, library, otf2_print = sys.argv[1:]
    missing = [name for name, path in (("EZTrace", library), ("otf2-print", otf2_print)) if not Path(path).exists()]
    if missing:
        print("skipped: there is no", " and no ".join(missing))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        found = list(events(otf2_print, record(program, library, folder)))
    inside = Counter()
    for kind, location, region in found:
        if region and region != LOCK:
            inside[location, region] += {"ENTER": 1, "LEAVE": -1}.get(kind, 0)
    wrong = [f"thread {location}: {count} of {region} without end" for (location, region), count in inside.items() if count]
    kinds = Counter(kind for kind, _, _ in found)
    entered = Counter(region for kind, _, region in found if kind == "ENTER")
    taken = sum(kind == "LEAVE" and region == LOCK for kind, _, region in found)
    expected = {"OpenMP parallel": (entered["OpenMP parallel"], loading.REGIONS),
                "THREAD_TEAM_BEGIN": (kinds["THREAD_TEAM_BEGIN"], loading.REGIONS),
                "THREAD_TASK_CREATE": (kinds["THREAD_TASK_CREATE"], sum(loading.TASKS.values())),
                "locks taken": (taken, TAKEN),
                "locks given back": (kinds["THREAD_RELEASE_LOCK"], TAKEN)}
    wrong += [f"{name}: {count}, not {wanted}" for name, (count, wanted) in expected.items() if count != wanted]
    if kinds["THREAD_ACQUIRE_LOCK"] < TAKEN + NESTED:  # more are tests in vain
        wrong.append(f"locks asked for: {kinds['THREAD_ACQUIRE_LOCK']}, not {TAKEN + NESTED} at least")
    print(len(found), "events", dict(entered))
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
