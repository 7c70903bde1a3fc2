# SPDX-License-Identifier: Apache-2.0
"""Runs a program under its own runtime and on Tulle, and compares what it says."""
import os
import subprocess
import sys

SETTINGS = ("OMP_", "GOMP_", "KMP_", "TULLE_", "BLIS_", "OPENBLAS_", "LD_")


def environment(threads, runtime=None, **variables):
    """That of a run on `threads` threads, on the runtime in that folder or on the program's own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    plain["OMP_NUM_THREADS"] = str(threads)
    if runtime is not None:
        plain["LD_LIBRARY_PATH"] = str(runtime)
    return {**plain, **variables}


def run(command, env, limit=300, folder=None):
    """What the program prints; the test ends if it fails."""
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True,
                          timeout=limit, cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def has_runtime(command, env, library):
    """Whether the loader takes the program's runtime from `library`."""
    found = run(["ldd", command], env)
    return str(library) in found


def report(what, threads, same, detail=""):
    print(f"{what}, {threads} threads: {'same result' if same else 'ANOTHER RESULT'}{detail}")
    return same
