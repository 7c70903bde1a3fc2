#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scikit-learn and LightGBM from PyPI, whose wheels bring libgomp, under that and under Tulle.

Every model must say the same, alone, in joblib's threads and in its processes; threadpoolctl must see
Tulle, and its limits must take effect.
"""
import argparse
import pathlib
import subprocess
import sys
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import compare

HERE = pathlib.Path(__file__).resolve().parent


def fetch(folder):
    """The interpreter of a virtual environment of our own."""
    wanted = (HERE / "requirements.txt").read_text(encoding="utf-8")
    stamp, python = folder / "fetched.txt", folder / "venv/bin/python3"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r",
                        HERE / "requirements.txt"], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


def results(output):
    return sorted(line for line in output.splitlines() if " = " in line)


def limits_hold(output, threads, clusters):
    """threadpoolctl sees Tulle once, with teams of that size, of which a limit makes teams of one."""
    lines = output.splitlines()
    wanted = [f"openmp: libgomp {threads}", f"largest team: {threads}", "limited: 1",
              f"limited k-means: {clusters}", f"again: {threads}"]
    return [line for line in lines if line in wanted] == wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tulle", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--python", type=pathlib.Path, help="one that has all that is needed")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    python = args.python or fetch(args.folder)

    program = [python, HERE / "models.py"]
    wanted = results(compare.run(program, compare.environment(2), limit=900))
    clusters = next((line.rpartition(" = ")[2] for line in wanted if "k-means" in line), "")
    wrong = not wanted
    for threads in (2, 16):
        output = compare.run([args.tulle, "run", "--", *program],
                             compare.environment(threads, LIMITS="1"), limit=900)
        same = results(output) == wanted
        wrong += not compare.report("scikit-learn and LightGBM", threads, same,
                                    f" ({len(wanted)} values)")
        held = limits_hold(output, threads, clusters)
        wrong += not compare.report("threadpoolctl", threads, held)
        if not same or not held:
            print("\n".join(wanted), output, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
