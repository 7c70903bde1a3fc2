#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Some processes of one program at once: time and CPU time under their own runtime with its defaults and with one
thread each, under Tulle, and under Tulle where they share CPUs, without and with OpenBLAS's own threads. By turns;
medians, and a table for a page.

usage: together.py --tulle COMMAND --folder FOLDER [--rounds N] [--only NAME:PROCESSES,...]"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "bench")]

import debian  # noqa: E402
import measure  # noqa: E402
import pypi  # noqa: E402
import situations  # noqa: E402
from run import fetch  # noqa: E402

# What is run: whether under Tulle, and what is set.
WAYS = {
    "its own runtime": (False, {}),
    # Tesseract's regions say how many threads they want: the limit makes it one.
    "with one thread each": (False, {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}),
    "Tulle": (True, {}),
    "Tulle, `TULLE_SHARE=1`": (True, {"TULLE_SHARE": "1"}),
    "`tulle run --share`": (True, {"TULLE_SHARE": "1", "OPENBLAS_NUM_THREADS": "1"}),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tulle", type=Path, required=True, help="the command")
    parser.add_argument("--folder", type=Path, required=True, help="for PyPI's libraries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="Tesseract:4,scikit-learn:4,Tesseract:8")
    return parser.parse_args()


def turns(one, at_once: int, options) -> dict[str, list[measure.Run]]:
    situation = situations.Situation("together", 2, at_once=at_once, with_threads=False)
    found = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(prefix="tulle-together-") as folder:
        one.prepare(Path(folder))
        for _ in range(options.rounds):
            for way, (under, variables) in WAYS.items():
                env = situations.environment(situation, options.tulle if under else None) | variables
                run = measure.measure(one.words(situation.threads), env, Path(folder), one.answer, at_once=at_once)
                wanted = found["its own runtime"][0].outputs[0] if found["its own runtime"] else run.outputs[0]
                fault = situations.wrong(one, wanted, run)
                if fault:
                    sys.exit(f"{one.name}, {way}: {fault}\n{run.errors[0][-2000:]}")
                found[way].append(run)
    return found


def cell(runs: list[measure.Run]) -> str:
    seconds, cpu = (statistics.median(getattr(run, name) for run in runs) for name in ("seconds", "cpu_seconds"))
    return f"{seconds:.2f} ({cpu:.2f})"


def main() -> None:
    options = arguments()
    options.tulle, options.folder = options.tulle.resolve(), options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    known = {one.name: one for one in [*debian.PROGRAMS, *pypi.programs(fetch(options.folder))]}
    print(f"| {options.rounds} turns; seconds (of CPU time) | {' | '.join(WAYS)} |\n{'|---' * (len(WAYS) + 1)}|")
    for word in options.only.split(","):
        name, number = word.rsplit(":", 1)
        found = turns(known[name], int(number), options)
        print(f"| {number} x {name} | {' | '.join(cell(found[way]) for way in WAYS)} |", flush=True)


if __name__ == "__main__":
    main()
