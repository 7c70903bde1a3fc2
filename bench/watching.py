#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `tulle stats` costs the programs that it watches: a fixed amount of work with it and without, by turns, from the
begin of each process to its end.

usage: watching.py [--only NAMES] [--pairs N] [--seconds S] [--build DIR] [--tulle DIR] [--record FILE]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import build as building  # noqa: E402
from harness import scenarios  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# One case of each program at least, of each kind of construct, and all of BOTS.
CASES = ["parallel_for", "barrier", "for_dynamic", "lock", "task_fib", "nested_100", "meet_yields", "uts_tasks", "cloverleaf_96",
         "cg_20", "multizone_4x4", "octree", "linear_tied_1000ns", "grain_fib_200ns", "cholesky_816", "pathfinding_1024",
         "graph_wavefront", "bots_*"]
THREADS = 2
CONFIDENCE = 0.95


def environment(tulle, records=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "GOMP_", "TULLE_"))}
    env.update(LD_LIBRARY_PATH=str(tulle), OMP_NUM_THREADS=str(THREADS), OMP_PROC_BIND="close", OMP_PLACES="cores")
    if records is not None:
        env.update(TULLE_STATS=records, OMP_TOOL_LIBRARIES=str(tulle / "libtulle-stats.so"))
    return env


def run(program, scenario, env, *options):
    """Seconds of the process, and what it said of itself."""
    begin = time.monotonic()
    done = subprocess.run([program, *scenario.arguments, "--threads", str(THREADS), *options], env=env, capture_output=True,
                          text=True, timeout=300, check=True)
    return time.monotonic() - begin, json.loads(done.stdout)


def repetitions(program, scenario, tulle, seconds):
    """How many take so long."""
    count = 1
    while True:
        took, _ = run(program, scenario, environment(tulle), "--repetitions", str(count))
        if took > seconds / 2:
            return max(1, round(count * seconds / took))
        count = max(2 * count, min(100 * count, round(0.8 * count * seconds / max(took - 0.005, 0.001))))


def interval(ratios):
    """Of the median: order statistics that hold it as often as asked, whatever the distribution."""
    ordered, n = sorted(ratios), len(ratios)
    below, term = 0.0, 0.5 ** n
    for k in range(n // 2):
        below += term
        if 2 * below > 1 - CONFIDENCE:
            return ordered[max(k - 1, 0)], ordered[n - max(k, 1)]
        term = term * (n - k) / (k + 1)
    return ordered[0], ordered[-1]


def compare(program, scenario, tulle, pairs, count):
    plain, watched = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pairs):
            order = (None, folder) if number % 2 == 0 else (folder, None)
            for records in order:
                took, said = run(program, scenario, environment(tulle, records), "--repetitions", str(count))
                if Path(said["runtime"]).parent.resolve() != tulle.resolve():
                    sys.exit(f"watching.py: {scenario.name} ran on {said['runtime']}")
                (plain if records is None else watched).append(took)
        if len(list(Path(folder).iterdir())) != pairs:
            sys.exit(f"watching.py: {scenario.name} was not watched")
    ratios = [with_it / without for with_it, without in zip(watched, plain)]
    low, high = interval(ratios)
    return {"case": scenario.name, "repetitions": count, "pairs": pairs, "seconds": round(statistics.median(plain), 3),
            "ratio": round(statistics.median(ratios), 4), "low": round(low, 4), "high": round(high, 4),
            "least": round(min(watched) / min(plain), 4)}


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
    wrong = building.build_all(asked.build, sorted({("gcc", scenario.program) for scenario in chosen}))
    if wrong:
        sys.exit("".join(f"watching.py: {job}: {text}\n" for job, text in wrong.items()))
    rows = {}
    if asked.record is not None and asked.record.exists():
        rows = {row["case"]: row for row in json.loads(asked.record.read_text())}
    for scenario in chosen:
        program = building.path_of(asked.build, "gcc", scenario.program)
        row = compare(program, scenario, asked.tulle, asked.pairs,
                      repetitions(program, scenario, asked.tulle, asked.seconds))
        rows[row["case"]] = row
        print(f"{row['case']:22} {row['seconds']:6.2f} s  {row['ratio']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
              f"  least {row['least']:.3f}", flush=True)
        if asked.record is not None:
            asked.record.write_text(json.dumps(list(rows.values()), indent=1) + "\n")


if __name__ == "__main__":
    main()
