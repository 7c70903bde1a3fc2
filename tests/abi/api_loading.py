#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loading the library is not using it, and OMP_DISPLAY_ENV is obeyed when it is loaded."""
import os
import subprocess
import sys

LOAD = """
import ctypes, os, sys
before = os.sched_getaffinity(0)
ctypes.CDLL(sys.argv[1])
threads = len(os.listdir("/proc/self/task"))
print(threads, os.sched_getaffinity(0) == before)
"""

ASK = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
print(library.omp_get_max_threads(), library.omp_get_thread_limit())
"""


def load(program=LOAD, **settings):
    plain = {name: value for name, value in os.environ.items()
             if not name.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_"))}
    run = subprocess.run([sys.executable, "-c", program, sys.argv[1]], capture_output=True, text=True,
                         env=plain | settings, timeout=300)
    return run.returncode, run.stdout.strip(), run.stderr


def faults():
    place = f"{{{min(os.sched_getaffinity(0))}}}"
    for settings in ({}, {"OMP_NUM_THREADS": "none"}, {"OMP_PLACES": place, "OMP_PROC_BIND": "true"}):
        if load(**settings) != (0, "1 True", ""):
            yield f"{settings}: loading does something: {load(**settings)}"

    status, _, shown = load(OMP_DISPLAY_ENV="true", OMP_NUM_THREADS="5,3", OMP_PLACES=place)
    for line in ("OPENMP DISPLAY ENVIRONMENT BEGIN", "  _OPENMP = '202111'",
                 "  [host] OMP_NUM_THREADS = '5,3'", f"  [host] OMP_PLACES = '{place}'",
                 "  [host] OMP_PROC_BIND = 'TRUE'", "OPENMP DISPLAY ENVIRONMENT END"):
        if line not in shown.splitlines():
            yield f"OMP_DISPLAY_ENV=true does not print: {line}"
    if status != 0 or "TULLE_" in shown:
        yield "OMP_DISPLAY_ENV=true prints more than OpenMP's variables"
    if "  [host] TULLE_TLS = 'AUTO'" not in load(OMP_DISPLAY_ENV="verbose")[2].splitlines():
        yield "OMP_DISPLAY_ENV=verbose leaves out Tulle's variables"

    # What is displayed is read before anything else is; it must hold afterwards.
    for name in ("OMP_DISPLAY_ENV", "KMP_SETTINGS", "KMP_VERSION"):
        for value in ("true", "false"):
            answer = load(ASK, **{name: value}, OMP_NUM_THREADS="5", OMP_THREAD_LIMIT="9")[1]
            if answer != "5 9":
                yield f"{name}={value}: the control variables are {answer}, not 5 9"

    _, _, said = load(OMP_DISPLAY_ENV="false", OMP_STACKSIZE="lots", OMP_DYNAMIC="maybe")
    if len(said.splitlines()) != 2 or 'OMP_STACKSIZE="lots"' not in said:
        yield f"two bad values do not get two lines: {said}"


found = list(faults())
print("\n".join(found) or "loading is not using")
sys.exit(1 if found else 0)
