#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks one Promela model with Spin, exhaustively: check.py [--break] MODEL [NAME...].

Each NAME is defined for the preprocessor. The model must be free of errors; with --break it must
have one (a failed assertion or a deadlock), so that a model that cannot fail is found out.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

DEPTH = "1000000"


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def search(model, names, folder, spin, compiler):
    """What the verifier says."""
    run([spin, "-a", *(f"-D{name}" for name in names), model], folder)
    # Without optimisation: to compile it takes longer than to search.
    run([compiler, "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2048", "-DVECTORSZ=2048", "pan.c", "-o",
         "pan"], folder)
    return run(["./pan", f"-m{DEPTH}"], folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--break", dest="broken", action="store_true")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        for file in args.model.resolve().parent.glob("*.pml"):
            (pathlib.Path(folder) / file.name).symlink_to(file)
        said = search(args.model.name, args.names, folder, args.spin, args.compiler)
    errors = re.search(r"errors: (\d+)", said)
    if errors is None:
        sys.exit(f"no verdict:\n{said}")
    found = int(errors.group(1)) > 0
    states = re.search(r"(\d+) states, stored", said)
    print(f"{args.model.name} {' '.join(args.names)}: {errors.group(0)}, "
          f"{states.group(1) if states else '?'} states")
    if args.broken:
        wanted = re.search(r"^pan:\d+: (assertion violated|invalid end state)", said, re.M)
        return 0 if found and wanted else f"no error found:\n{said}"
    complete = "Search not completed" not in said and "max search depth too small" not in said
    return 0 if complete and not found else f"an error, or not exhaustive:\n{said}"


if __name__ == "__main__":
    sys.exit(main())
