#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions that a construct costs on one core, held against stored bounds.

The count is exact and does not depend on how busy the machine is: it catches a fast path that has
grown where a time cannot. `guard.py RUNTIME_FOLDER BUILD_FOLDER [--only NAMES] [--update]`; `--update`
stores what was counted, and a tenth more, as the new bounds.
"""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
import bounds  # noqa: E402

BOUNDS = HERE / "bounds.json"
FEW, MANY = 10, 30
# Operations in one repetition: members of the team, chunks of the loop, tasks of the tree.
OPERATIONS = {"barrier": 4, "loop_dynamic": 64, "task_tree": 126, "taskloop_alone": 64, "graph_closed": 64}
LEAST_TRIES, MOST_TRIES = 3, 24
LIMIT_S = 600
BOUND = "_bound"  # of a case whose threads are bound to cores
WHOLE = "_whole"  # of one whose members carry TLS blocks of their own


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("count", "probe"):
        source, target = HERE / f"{name}.c", folder / name
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-fopenmp", f"-I{HERE.parents[1] / 'include'}", str(source),
                        "-o", str(target)], check=True)


def count(folder: Path, runtime: Path, case: str, repetitions: int, **settings: str) -> int:
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "TULLE_", "LD_"))}
    env["LD_LIBRARY_PATH"] = str(runtime)
    # As many on every machine; and no looks at the process's CPUs, which come with time.
    env["TULLE_WORKERS"] = "2"
    # A single-stepped worker is slow and not stuck.
    env["TULLE_MONITOR_TICK"] = "10s"
    if case.endswith(BOUND):
        env |= {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
        case = case.removesuffix(BOUND)
    if case.endswith(WHOLE):
        env["TULLE_TLS"] = "whole"
        case = case.removesuffix(WHOLE)
    env |= settings
    answer = subprocess.run([str(folder / "count"), str(folder / "probe"), case, str(repetitions)],
                            env=env, capture_output=True, text=True, timeout=LIMIT_S)
    if answer.returncode:
        raise RuntimeError(f"{case}: {answer.stderr.strip() or answer.returncode}")
    return int(answer.stdout)


def difference(case: str, counts: dict[int, int]) -> float:
    """Of two runs, for an operation: what does not repeat cancels out."""
    return (counts[MANY] - counts[FEW]) / (MANY - FEW) / OPERATIONS.get(case, 1)


def per_operation(folder: Path, runtime: Path, case: str, **settings: str) -> float:
    return difference(case, {n: count(folder, runtime, case, n, **settings) for n in (FEW, MANY)})


def least_count(folder: Path, runtime: Path, case: str, bound: float) -> float:
    """By the least of several runs each: the other worker is not stepped, and what it asks for meanwhile adds to one. The
    second least, as one of forty begins otherwise and takes less, which would make the difference larger."""
    counts = {FEW: [], MANY: []}
    for tries in range(1, MOST_TRIES + 1):
        for n, of_runs in counts.items():
            of_runs.append(count(folder, runtime, case, n))
        least = {n: sorted(of_runs)[:2][-1] for n, of_runs in counts.items()}
        if tries >= LEAST_TRIES and difference(case, least) <= bound:
            break
    return difference(case, least)


def main() -> int:
    options = bounds.parser(__doc__).parse_args()
    held = bounds.Bounds(BOUNDS, options)
    folder = options.build / "bench" / "instructions"
    build(folder)
    for case in held.cases(held.all):
        counted = least_count(folder, options.runtime.resolve(), case, held.all[case])
        held.check(held.all, case, counted, f"{case:14} {counted:10.1f} instructions", round(1.1 * counted) + 1)
    return held.end()


if __name__ == "__main__":
    sys.exit(main())
