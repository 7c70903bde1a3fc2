# SPDX-License-Identifier: Apache-2.0
"""The situations that each program is run in, and what is kept of its runs there."""
import os
import shlex
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import measure
import program as programs

SETTINGS = ("OMP_", "GOMP_", "KMP_", "TULLE_", "BLIS_", "OPENBLAS_", "LD_")


@dataclass(frozen=True)
class Situation:
    name: str
    threads: int
    at_once: int = 1
    cpus: float | None = None  # the quota
    with_threads: bool = True  # OMP_NUM_THREADS is set


SITUATIONS = [
    Situation("2 threads", 2),
    Situation("16 threads", 16),
    Situation("four at once", 2, at_once=4, with_threads=False),
    Situation("quota of 1.5 CPUs", 2, cpus=1.5, with_threads=False),
]


def environment(situation: Situation, tulle: Path | None = None) -> dict[str, str]:
    """With `tulle` what `tulle run` sets, so that its own start is in no time."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    if tulle is not None:
        printed = subprocess.run([tulle, "run", "--print", "--", "true"], env=plain, capture_output=True, text=True,
                                 check=True).stdout
        plain |= dict(word.split("=", 1) for word in shlex.split(printed) if word.startswith("LD_"))
    return plain | ({"OMP_NUM_THREADS": str(situation.threads)} if situation.with_threads else {})


def served(errors: list[str]) -> bool:
    """Whether `tulle run -v` says that Tulle was in use."""
    return any("ran on Tulle" in text for text in errors)


def wrong(one: programs.Program, wanted: str, run: measure.Run) -> str:
    """What is wrong with a run, or nothing."""
    if run.failure:
        return run.failure
    same = all(programs.is_same(wanted, got, one.tolerance) for got in run.outputs)
    return "" if same else "another answer"


def _median(runs: list[measure.Run], name: str) -> float:
    return statistics.median(getattr(run, name) for run in runs)


def _kept(runs: list[measure.Run]) -> dict:
    return {"seconds": _median(runs, "seconds"), "cpu_seconds": _median(runs, "cpu_seconds"),
            "peak_kib": max(run.peak_kib for run in runs), "os_threads": max(run.os_threads for run in runs),
            "samples": [round(run.seconds, 4) for run in runs],
            "cpu_samples": [round(run.cpu_seconds, 4) for run in runs]}


def hold(one: programs.Program, situation: Situation, prepared: Path, wanted: str, tulle: Path, *, rounds: int,
         nice: int, limit_s: float) -> dict:
    """Runs a program in one situation under both runtimes by turns. The result's `wrong` says what is."""
    runs = {"own": [], "tulle": []}
    with measure.quota(situation.cpus) as group:
        for number in range(rounds):
            for name, under in sorted({"own": None, "tulle": tulle}.items(), reverse=number % 2 == 1):
                run = measure.measure(one.words(situation.threads), environment(situation, under), prepared, one.answer,
                                      at_once=situation.at_once, group=group, watch=number == 0, nice=nice,
                                      limit_s=limit_s)
                runs[name].append(run)
                fault = wrong(one, wanted, run)
                if fault:
                    return {"wrong": f"{fault} under {'its own runtime' if under is None else 'Tulle'}",
                            "outputs": run.outputs, "errors": [text[-2000:] for text in run.errors]}
    return {name: _kept(found) for name, found in runs.items()}
