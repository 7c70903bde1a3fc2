#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `tulle stats` costs the programs that it watches: a fixed amount of work with it and without, by turns, from the
begin of each process to its end, and the time of all CPUs that it used. Noise makes a run longer, hardly shorter: so the low
ends of many runs are compared. What noise is left is seen in the runs without the tool, every other one against the rest.

usage: watching.py [--only NAMES] [--pairs N] [--seconds S] [--build DIR] [--tulle DIR] [--record FILE]
"""
import argparse
import json
import math
import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import build as building  # noqa: E402
from harness import peers, rounds, scenarios  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# One case of each program at least, of each kind of construct, and all of BOTS.
CASES = ["parallel_for", "barrier", "for_dynamic", "lock", "task_fib", "nested_100", "meet_yields", "uts_tasks", "cloverleaf_96",
         "cg_20", "multizone_4x4", "octree", "linear_tied_1000ns", "grain_fib_200ns", "cholesky_816", "pathfinding_1024",
         "graph_wavefront", "bots_*"]
THREADS = 2
LIMIT_S = 300.0
BOUND = 1.02  # of the time without the tool
DRAWN = 2000


def cpu_seconds():
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Program:
    """A scenario's, as often as asked, on one build of Tulle."""

    def __init__(self, scenario, build, runtime):
        self.scenario, self.runtime = scenario, runtime
        self.command = [str(building.path_of(build, "gcc", scenario.program)), *scenario.arguments, "--threads", str(THREADS)]

    def seconds(self, repetitions, records=None):
        """Of the clock, and of all CPUs; watched where there is a folder for records."""
        env = rounds.environment(self.scenario, THREADS, self.runtime)
        if records is not None:
            env.update(TULLE_STATS=records, OMP_TOOL_LIBRARIES=str(self.runtime.folder / "libtulle-stats.so"))
        begin, used = time.monotonic(), cpu_seconds()
        output, failure = rounds.run([*self.command, "--repetitions", str(repetitions)], env, LIMIT_S)
        took = time.monotonic() - begin, cpu_seconds() - used
        if failure or rounds.is_other_runtime(json.loads(output.splitlines()[-1]), self.runtime):
            sys.exit(f"watching.py: {self.scenario.name}: {failure or 'other runtime'}")
        return took

    def repetitions(self, seconds):
        """How many take so long."""
        count = 1
        while True:
            took, _ = self.seconds(count)
            if took > seconds / 2:
                return max(1, round(count * seconds / took))
            count = max(2 * count, min(100 * count, round(0.8 * count * seconds / max(took - 0.005, 0.001))))


def low(values):
    """Their lower quartile: what disturbs a run only makes it longer, and the least is one run's luck."""
    return statistics.quantiles(values, n=4, method="inclusive")[0]


def compared(watched, plain):
    """Of the low ends: their ratio, where it lies in 95 of 100 samples drawn anew from the runs, and the ratio of the leasts.
    Of the pairs: how many are below the bound, and how likely so many are if every other pair were."""
    drawn = random.Random(1)
    ratios = sorted(low(drawn.choices(watched, k=len(watched))) / low(drawn.choices(plain, k=len(plain)))
                    for _ in range(DRAWN))
    below = sum(a < BOUND * b for a, b in zip(watched, plain))
    chance = sum(math.comb(len(plain), k) for k in range(below, len(plain) + 1)) / 2 ** len(plain)
    found = {"ratio": low(watched) / low(plain), "from": ratios[DRAWN // 40], "to": ratios[-DRAWN // 40],
             "least": min(watched) / min(plain), "noise": low(plain[::2]) / low(plain[1::2]), "chance": chance}
    return {name: round(value, 4) for name, value in found.items()} | {"below": below}


def compare(program, pairs, count):
    plain, watched = [], []
    with tempfile.TemporaryDirectory() as folder:
        turn = [(plain, None), (watched, folder)]
        for number in range(pairs):
            for times, records in turn[::(-1) ** number]:
                times.append(program.seconds(count, records))
        if len(list(Path(folder).iterdir())) != pairs:
            sys.exit(f"watching.py: {program.scenario.name} was not watched")
    (wall, cpu), (watched_wall, watched_cpu) = zip(*plain), zip(*watched)
    return {"repetitions": count, "pairs": pairs, "seconds": round(low(wall), 3), "wall": compared(watched_wall, wall),
            "cpu": compared(watched_cpu, cpu), "runs": {"plain": plain, "watched": watched}}


def text_of(row):
    def said(of):
        return (f"{of['ratio']:.3f} [{of['from']:.3f}, {of['to']:.3f}] least {of['least']:.3f} noise {of['noise']:.3f} "
                f"{of['below']:2}/{row['pairs']} below (chance {of['chance']:.3f})")
    return f"{row['case']:20} {row['seconds']:5.2f} s  wall {said(row['wall'])}\n{'':29}CPU  {said(row['cpu'])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=0.7)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--tulle", type=Path, default=ROOT / "build" / "release" / "lib")
    parser.add_argument("--record", type=Path, help="a JSON file; what it says of other cases stays")
    asked = parser.parse_args()
    chosen = scenarios.select(asked.only.split(","))
    build, runtime = asked.build.resolve(), peers.Runtime("tulle", asked.tulle.resolve())
    wrong = building.build_all(build, sorted({("gcc", scenario.program) for scenario in chosen}))
    if wrong:
        sys.exit("".join(f"watching.py: {job}: {text}\n" for job, text in wrong.items()))
    rows = {}
    if asked.record is not None and asked.record.exists():
        rows = {row["case"]: row for row in json.loads(asked.record.read_text())}
    for scenario in chosen:
        program = Program(scenario, build, runtime)
        row = {"case": scenario.name, **compare(program, asked.pairs, program.repetitions(asked.seconds))}
        rows[row["case"]] = row
        print(text_of(row), flush=True)
        if asked.record is not None:
            asked.record.write_text(json.dumps(list(rows.values()), indent=1) + "\n")


if __name__ == "__main__":
    main()
