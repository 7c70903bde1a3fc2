#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenBLAS for OpenMP under libgomp and under Tulle, by turns: dgemm, dsyrk, dgetrf of orders 50 to 1,000, from one
thread, from four pthreads, from four members of a region and from two processes at once: `run.py RUNTIME_FOLDER
[--threads LIST] [--rounds N]`.

Each row has the time of a call under Tulle over that under libgomp, the median of the rounds: of the median call, and of
the mean, which goes by the wall clock; then the largest call over the median one, for both. `--preload` has the program
find Tulle before the C library, as `tulle run` does; else OpenBLAS brings it along.
"""
import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_S = 600
MODES = ("SINGLE", "PTHREADS", "NESTED", "PROCESSES")


def find_library():
    found = glob.glob("/usr/lib/*-linux-gnu/openblas-openmp/libopenblas.so.0")
    return Path(found[0]) if found else sys.exit("no OpenBLAS for OpenMP: Debian has it in libopenblas0-openmp")


def build(folder, library):
    """OpenBLAS first, so that the C library stands before the OpenMP runtime, as where a BLAS alone needs that."""
    target = Path(folder) / "calls"
    subprocess.run(["gcc", "-O2", str(HERE / "calls.c"), "-o", str(target), "-fopenmp", "-Wl,--no-as-needed", str(library),
                    "-lc"], check=True, timeout=LIMIT_S)
    return target


def calls(program, mode, seconds, **settings):
    """{(routine, order): (median, largest, mean)} in µs; of two processes the larger ones."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "GOMP_", "OPENBLAS_", "LD_"))}
    words = [str(program), "SINGLE" if mode == "PROCESSES" else mode, str(seconds)]
    started = [subprocess.Popen(words, env=env | settings, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for _ in range(2 if mode == "PROCESSES" else 1)]
    found = {}
    try:
        for one in started:
            output, errors = one.communicate(timeout=LIMIT_S)
            if one.returncode != 0:
                sys.exit(f"{mode}: status {one.returncode}\n{errors}")
            for line in output.splitlines():
                routine, order, _, *times = line.split()
                row = (routine, int(order))
                found[row] = tuple(map(max, map(float, times), found.get(row, (0.0,) * len(times))))
    finally:
        for one in started:
            one.kill()  # those that are still there
    return found


def median_of(rounds, row, which):
    return statistics.median(found[row][which] for found in rounds)


def measure(options, program, library, mode, threads):
    tulle = {"LD_PRELOAD": f"{options.runtime}/libgomp.so.1"} if options.preload else {}
    runtimes = {"libgomp": {"LD_LIBRARY_PATH": str(library.parent)},
                "tulle": {"LD_LIBRARY_PATH": f"{options.runtime}:{library.parent}"} | tulle}
    found = {name: [] for name in runtimes}
    for _ in range(options.rounds):
        for name, settings in runtimes.items():
            found[name].append(calls(program, mode, options.seconds, OMP_NUM_THREADS=str(threads), **settings))
    for row in found["tulle"][0]:
        middle, largest, mean = ({name: median_of(rounds, row, which) for name, rounds in found.items()}
                                 for which in range(3))
        print(f"{threads:2} {mode:9} {row[0]:6} {row[1]:4}  {middle['tulle'] / middle['libgomp']:6.2f} "
              f"{mean['tulle'] / mean['libgomp']:6.2f}   {largest['tulle'] / middle['tulle']:7.1f} "
              f"{largest['libgomp'] / middle['libgomp']:7.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", help="the folder with libgomp.so.1 of Tulle")
    parser.add_argument("--threads", default="2,4,8,16", help="numbers of threads")
    parser.add_argument("--modes", default=",".join(MODES), help=", ".join(MODES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="for each routine, order and caller")
    parser.add_argument("--preload", action="store_true")
    options = parser.parse_args()
    library = find_library()
    print("threads, mode, routine, order; of libgomp's time: median, mean; largest over median: tulle, libgomp")
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, library)
        for threads in options.threads.split(","):
            for mode in options.modes.split(","):
                measure(options, program, library, mode, int(threads))


if __name__ == "__main__":
    main()
