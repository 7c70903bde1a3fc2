# SPDX-License-Identifier: Apache-2.0
"""Fails if what a lock guards is touched without it, as far as Clang's thread-safety analysis sees.

usage: check_locks.py ROOT CLANG
The contracts stand beside locks, variables and functions (src/sync/lock_contracts.h). Sources of layers in which
no lock stands and that include none are checked too: a field of a header may be touched anywhere.
"""
import concurrent.futures
import os
import pathlib
import platform
import subprocess
import sys

LAYERS = ["memory", "topology", "ult", "sched", "omp", "offload"]
OTHERS = {"hwloc", "argobots", "massivethreads", "qthreads", "library"}  # sources that stand on libraries which need not be here
OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wno-everything", "-Wthread-safety", "-Werror=thread-safety", "-fno-exceptions",
           "-fno-rtti", '-DTULLE_VERSION_STRING=""']


def check(clang, folders, source):
    done = subprocess.run([clang, *OPTIONS, *(f"-I{folder}" for folder in folders), source],
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    root, clang = pathlib.Path(sys.argv[1]), sys.argv[2]
    source = root / "src"
    folders = [source, source / "arch" / platform.machine(), source / "os" / "linux", source / "ult" / "native",
               root / "include"]
    files = [file for layer in LAYERS for file in sorted((source / layer).rglob("*.cpp")) if OTHERS.isdisjoint(file.parts)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(filter(None, pool.map(lambda file: check(clang, folders, file), files)))
    print("".join(faults) or f"{len(files)} sources touch what locks guard under these locks alone")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
