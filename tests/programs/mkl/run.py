#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs MKL from PyPI with its Intel threading layer on Tulle and on Intel's own runtime.

Results must be right on both. Times are the least of interleaved runs; the test fails where Tulle
needs more than 5 % more than Intel's runtime, unless --times=report.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
LAYERS = ("mkl_intel_lp64", "mkl_intel_thread", "mkl_core")


def fetch(folder):
    """Folder of MKL's libraries, in a virtual environment of our own."""
    libraries = folder / "venv" / "lib"
    if not list(libraries.glob("libmkl_intel_thread.so*")):
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([folder / "venv/bin/pip", "install", "-q", "--no-deps", "mkl",
                        "intel-openmp"], check=True)
    return libraries


def build(folder, libraries):
    program = folder / "dense"
    layers = [str(next(libraries.glob(f"lib{layer}.so*"))) for layer in LAYERS]
    subprocess.run(["gcc", "-O2", str(HERE / "dense.c"), "-o", str(program), "-Wl,--no-as-needed",
                    *layers, str(libraries / "libiomp5.so"), "-lm", "-lpthread"], check=True)
    return program


def run(program, folders, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_DYNAMIC="FALSE",
                       LD_LIBRARY_PATH=":".join(map(str, folders)))
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode} with {folders[0]}: {done.stdout}{done.stderr}")
    return {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", choices=("check", "report"), default="check")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)

    libraries = fetch(args.folder)
    program = build(args.folder, libraries)
    least = {}
    for _round in range(args.rounds):
        for name, folders in (("tulle", [args.runtime, libraries]), ("intel", [libraries])):
            for what, time in run(program, folders, args.threads).items():
                least[what, name] = min(time, least.get((what, name), time))
    for threads in (1, 4 * args.threads):
        run(program, [args.runtime, libraries], threads)

    slower = False
    for what in dict.fromkeys(what for what, _name in least):
        ratio = least[what, "tulle"] / least[what, "intel"]
        slower |= ratio > 1.05
        print(f"{what:8} tulle {least[what, 'tulle']:9.4f} ms  intel {least[what, 'intel']:9.4f} ms"
              f"  ratio {ratio:.2f}")
    return 1 if slower and args.times == "check" else 0


if __name__ == "__main__":
    sys.exit(main())
