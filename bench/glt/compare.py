#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures user-level threads: Tulle's (libtulle-glt) beside those of Argobots, MassiveThreads and Qthreads.

One program for GLT's interface, bench.c, is built over each library that is given by the folder that it is
installed in. The programs run in turn; a row's figure is the median of its rounds in nanoseconds. Exit
status 1: another library is ahead in a row.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVEL = 0.93  # of Tulle's time: less is ahead of it, and not noise
LINKED = {"argobots": "abt", "massivethreads": "myth", "qthreads": "qthread"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tulle", required=True, help="folder of libtulle-glt.so")
    for name in LINKED:
        parser.add_argument(f"--{name}", help=f"folder that {name} is installed in")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="file for all figures")
    return parser.parse_args()


def build(options, name, folder, into):
    program = into / name
    common = [options.compiler, "-O2", "-g", str(HERE / "bench.c"), "-o", str(program)]
    if name == "tulle":
        headers = HERE.parents[1] / "include"
        if not headers.exists():
            headers = HERE.parents[3] / "include"
        flags = ['-DBACKEND=<tulle/glt.h>', f"-I{headers}", f"-L{folder}", "-ltulle-glt", f"-Wl,-rpath,{folder}"]
    else:
        library = f"{folder}/lib"
        flags = [f'-DBACKEND="{name}.h"', f"-I{HERE}", f"-I{folder}/include", f"-L{library}", f"-l{LINKED[name]}",
                 f"-Wl,-rpath,{library}", "-pthread"]
    subprocess.run(common + flags, check=True)
    return program


def measured(program, threads):
    """The rows of one thread, and those of all."""
    figures = {}
    for count in (1, threads):
        environment = dict(os.environ, GLT_NUM_THREADS=str(count))
        out = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=300, check=True).stdout
        figures |= {line.split()[0]: float(line.split()[1]) for line in out.splitlines() if len(line.split()) == 2}
    return figures


def show(names, medians):
    print("| ns | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|")
    for row in medians["tulle"]:
        print(f"| {row} | " + " | ".join(f"{medians[name][row]:.1f}" for name in names) + " |")


def main():
    options = arguments()
    folders = {"tulle": options.tulle} | {name: getattr(options, name) for name in LINKED if getattr(options, name)}
    figures = {name: [] for name in folders}
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(options, name, at, Path(folder)) for name, at in folders.items()}
        for _ in range(options.rounds):
            for name, program in programs.items():
                figures[name].append(measured(program, options.threads))
    medians = {name: {row: statistics.median(run[row] for run in runs) for row in runs[0]}
               for name, runs in figures.items()}
    if options.json:
        Path(options.json).write_text(json.dumps({"threads": options.threads, "medians": medians, "runs": figures}, indent=1))
    show(list(folders), medians)
    behind = [f"{row}: {name} {other[row]:.1f}, Tulle {medians['tulle'][row]:.1f}"
              for name, other in medians.items() if name != "tulle"
              for row in other if other[row] < LEVEL * medians["tulle"][row]]
    for line in behind:
        print(f"behind: {line}", file=sys.stderr)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
