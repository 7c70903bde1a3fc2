#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `tulle stats` costs the programs that it watches: a fixed amount of work with it and without, by turns, from the
begin of each process to its end. A third run of each turn is again one without: how far that is from the first is what the
machine's noise alone does. What the tool costs does not grow with the program, for it leaves: the least of many short runs
shows it on a noisy machine too (--seconds 0.1 --pairs 30).

usage: watching.py [--only NAMES] [--pairs N] [--seconds S] [--build DIR] [--tulle DIR] [--record FILE]
"""
import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import build as building  # noqa: E402
from harness import peers, rounds, scenarios, summary  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# One case of each program at least, of each kind of construct, and all of BOTS.
CASES = ["parallel_for", "barrier", "for_dynamic", "lock", "task_fib", "nested_100", "meet_yields", "uts_tasks", "cloverleaf_96",
         "cg_20", "multizone_4x4", "octree", "linear_tied_1000ns", "grain_fib_200ns", "cholesky_816", "pathfinding_1024",
         "graph_wavefront", "bots_*"]
THREADS = 2
LIMIT_S = 300.0


class Program:
    """A scenario's, as often as asked, on one build of Tulle."""

    def __init__(self, scenario, build, runtime):
        self.scenario, self.runtime = scenario, runtime
        self.command = [str(building.path_of(build, "gcc", scenario.program)), *scenario.arguments, "--threads", str(THREADS)]

    def seconds(self, repetitions, records=None):
        """Of the process; watched where there is a folder for records."""
        env = rounds.environment(self.scenario, THREADS, self.runtime)
        if records is not None:
            env.update(TULLE_STATS=records, OMP_TOOL_LIBRARIES=str(self.runtime.folder / "libtulle-stats.so"))
        begin = time.monotonic()
        output, failure = rounds.run([*self.command, "--repetitions", str(repetitions)], env, LIMIT_S)
        took = time.monotonic() - begin
        if failure or rounds.is_other_runtime(json.loads(output.splitlines()[-1]), self.runtime):
            sys.exit(f"watching.py: {self.scenario.name}: {failure or 'other runtime'}")
        return took

    def repetitions(self, seconds):
        """How many take so long."""
        count = 1
        while True:
            took = self.seconds(count)
            if took > seconds / 2:
                return max(1, round(count * seconds / took))
            count = max(2 * count, min(100 * count, round(0.8 * count * seconds / max(took - 0.005, 0.001))))


def ratio_of(with_it, without):
    """Median of the ratios of pairs, and the interval that it lies in."""
    ratios = [a / b for a, b in zip(with_it, without)]
    low, high = summary.interval_of_median(ratios)
    return {"ratio": round(statistics.median(ratios), 4), "low": round(low, 4), "high": round(high, 4)}


def compare(program, pairs, count):
    plain, watched, again = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        turn = [(plain, None), (watched, folder), (again, None)]
        for number in range(pairs):
            for times, records in turn[number % 3:] + turn[:number % 3]:
                times.append(program.seconds(count, records))
        if len(list(Path(folder).iterdir())) != pairs:
            sys.exit(f"watching.py: {program.scenario.name} was not watched")
    without = [(one + other) / 2 for one, other in zip(plain, again)]
    more = statistics.median(with_it - mean for with_it, mean in zip(watched, without))
    least = min(watched) - min(plain + again)
    return {"repetitions": count, "pairs": pairs, "seconds": round(statistics.median(without), 3), **ratio_of(watched, without),
            "noise": ratio_of(again, plain), "more_ms": round(1e3 * more, 1), "least_more_ms": round(1e3 * least, 1)}


def text_of(row):
    def interval(of):
        return f"{of['ratio']:.3f} [{of['low']:.3f}, {of['high']:.3f}]"
    return (f"{row['case']:22} {row['seconds']:6.2f} s  {interval(row)}  {row['more_ms']:+6.1f} ms"
            f"  least {row['least_more_ms']:+6.1f} ms  noise {interval(row['noise'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.5)
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
