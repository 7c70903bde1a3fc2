#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates a box of 510 molecules of water with GROMACS (Debian's build links libgomp), under libgomp
and under Tulle with as many threads: all energies must be the same to the last digit.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import compare

HERE = pathlib.Path(__file__).resolve().parent


def prepare(gmx, folder):
    env = compare.environment(1)
    for name in ("water.top", "water.mdp"):
        shutil.copy(HERE / name, folder)
    compare.run([gmx, "-quiet", "solvate", "-cs", "spc216.gro", "-box", "2.5", "2.5", "2.5",
                 "-o", "water.gro", "-p", "water.top"], env, folder=folder)
    compare.run([gmx, "-quiet", "grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top",
                 "-o", "water.tpr"], env, folder=folder)


def energies(gmx, folder, name, threads, runtime=None):
    env = compare.environment(threads, runtime)
    compare.run([gmx, "-quiet", "mdrun", "-s", "water.tpr", "-ntmpi", "1", "-ntomp", threads,
                 "-reprod", "-nb", "cpu", "-pin", "off", "-deffnm", name], env, folder=folder)
    dump = compare.run([gmx, "-quiet", "dump", "-e", f"{name}.edr"], compare.environment(1),
                       folder=folder)
    return [line for line in dump.splitlines() if "energy" in line.lower() or "e+" in line]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gmx", required=True)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    args = parser.parse_args()
    if not compare.has_runtime(args.gmx, compare.environment(1, args.runtime), args.runtime):
        sys.exit(f"{args.gmx} does not take its runtime from {args.runtime}")

    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        prepare(args.gmx, folder)
        for threads in (2, 8):
            wanted = energies(args.gmx, folder, f"own{threads}", threads)
            got = energies(args.gmx, folder, f"tulle{threads}", threads, args.runtime)
            wrong += not compare.report("GROMACS", threads, bool(wanted) and got == wanted,
                                        f" ({len(wanted)} lines of energies)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
