# SPDX-License-Identifier: Apache-2.0
"""Runs the rows. In each round every row has its turn, and in a row all runtimes have theirs one after
the other, so that the machine's drift hits all alike; a row's rounds lie far apart in time, so that a
bad minute is one turn among several.
"""
import json
import math
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import build as building
from . import quiet
from .peers import Runtime
from .scenarios import Scenario

CONTROL_PREFIXES = ("OMP_", "GOMP_", "KMP_", "LIBOMP_", "TULLE_")


@dataclass
class Settings:
    build: Path
    rounds: int = 3
    processes: int = 9  # rounds of flat constructs: a process differs from the next one as a whole
    samples: int = 5
    target_ms: float = 20.0
    budget_s: float = 1.5
    limit_s: float = 10.0
    keep_environment: bool = False
    quick: bool = False
    again: int = 3  # rounds more for rows in which Tulle may be behind
    seconds: float = math.inf  # after which no row has another round
    nice: int = 0
    bind: bool = True
    patience: quiet.Patience = field(default_factory=lambda: quiet.Patience(60.0))


@dataclass
class Measurement:
    """What one runtime showed in one row."""
    samples: list[float] = field(default_factory=list)  # nanoseconds
    turns: list[int] = field(default_factory=list)  # how many of them each run gave
    runs: int = 0
    disturbed: int = 0  # runs that others took a part of the machine from
    cpus: list[list[int]] = field(default_factory=list)  # of each run: where its members were last
    failure: str = ""  # empty, "timeout", "wrong", "crash SIGxxx", "exit N", "other runtime"
    detail: dict = field(default_factory=dict)


@dataclass
class Row:
    scenario: Scenario
    compiler: str
    threads: int
    results: dict[str, Measurement]
    again: bool = False  # had rounds more than the others


def environment(scenario: Scenario, threads: int, runtime: Runtime, bind: bool = True, keep: bool = False) -> dict[str, str]:
    """A program's, on a runtime. `keep`: settings of OpenMP that the caller has stay."""
    env = {k: v for k, v in os.environ.items() if keep or not k.startswith(CONTROL_PREFIXES)}
    env.pop("LD_PRELOAD", None)
    env["LD_LIBRARY_PATH"] = str(runtime.folder)
    env["OMP_NUM_THREADS"] = str(threads)
    if not runtime.is_peer:
        env |= scenario.controls
    if bind:
        env["OMP_PROC_BIND"], env["OMP_PLACES"] = "close", "cores"
    return env


def _set_priority(nice: int) -> None:
    """In the child: the kernel shares cores between sessions first, where autogroups are in use."""
    if nice == 0:
        return
    os.setpriority(os.PRIO_PROCESS, 0, nice)
    autogroup = Path("/proc/self/autogroup")
    if autogroup.exists():
        autogroup.write_text(str(nice))


def run(command: list[str], env: dict[str, str], limit_s: float, nice: int = 0) -> tuple[str, str]:
    """Runs a program in a process group of its own: its output, and what failed."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, start_new_session=True,
                               preexec_fn=lambda: _set_priority(nice))
    try:
        output, _ = process.communicate(timeout=limit_s)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as reason:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if isinstance(reason, KeyboardInterrupt):
            raise
        return "", "timeout"
    if process.returncode < 0:
        return output, f"crash {signal.Signals(-process.returncode).name}"
    if process.returncode == 1 and output:
        return output, "wrong"
    return output, f"exit {process.returncode}" if process.returncode else ""


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _command(row: Row, settings: Settings) -> list[str]:
    scenario = row.scenario
    command = [str(building.path_of(settings.build, row.compiler, scenario.program)),
               *scenario.arguments]
    if scenario.measuring:
        command += ["--threads", str(row.threads), "--samples", str(settings.samples),
                    "--target-ms", str(settings.target_ms), "--budget-s", str(settings.budget_s)]
    return command


def is_other_runtime(answer: dict, runtime: Runtime) -> bool:
    """By what the program says of itself."""
    used = answer.get("runtime")
    return bool(used) and Path(used).parent.resolve() != runtime.folder.resolve()


def _turn(row: Row, runtime: Runtime, settings: Settings) -> Measurement:
    """One turn of one runtime: a measurement of its own."""
    turn = Measurement(runs=1)
    command = _command(row, settings)
    env = environment(row.scenario, row.threads, runtime, settings.bind, settings.keep_environment)
    limit_s = settings.limit_s * (3 if row.scenario.slow else 1)
    output, turn.failure = run(command, env, limit_s, settings.nice)
    if turn.failure:
        return turn
    answer = json.loads(output.splitlines()[-1])
    if is_other_runtime(answer, runtime):
        turn.failure = "other runtime"
    turn.samples = answer.pop("samples")
    turn.detail = answer
    return turn


def _measure(total: Measurement, row: Row, runtime: Runtime, settings: Settings) -> None:
    """Adds a turn to the total; a disturbed one is repeated while there is patience."""
    while True:
        watch, cpu = quiet.Watch(), _children_cpu()
        turn = _turn(row, runtime, settings)
        disturbed = watch.others(_children_cpu() - cpu) >= quiet.DISTURBED
        if not disturbed or turn.failure == "wrong" or settings.patience.left <= 0:
            break
        quiet.wait(settings.patience)
    total.samples += turn.samples
    total.turns.append(len(turn.samples))
    total.runs += 1
    total.disturbed += disturbed
    total.failure = turn.failure
    total.detail = turn.detail or total.detail
    total.cpus.append(turn.detail.pop("cpus", []))


def _threads_of(scenario: Scenario, quick: bool) -> tuple[int, ...]:
    if not quick:
        return scenario.threads
    return tuple(n for n in scenario.threads if n in scenario.quick_threads) or scenario.threads[:1]


def rows(selected: list[Scenario], compilers: list[str], runtimes: list[Runtime],
         threads: list[int], quick: bool) -> list[Row]:
    found = []
    for scenario in selected:
        if quick and not scenario.quick:
            continue
        for compiler in (c for c in compilers if c in scenario.compilers):
            for n in threads or _threads_of(scenario, quick):
                results = {r.name: Measurement() for r in runtimes if r.serves(compiler)}
                if results:
                    found.append(Row(scenario, compiler, n, results))
    return found


def rounds_of(row: Row, settings: Settings) -> int:
    if row.scenario.slow:
        return 1
    return max(settings.rounds, settings.processes if row.scenario.group == "flat" else 0)


def _run_round(row: Row, runtimes: list[Runtime], settings: Settings, progress) -> None:
    """One turn of each runtime; one that failed once is not run again. progress(step) is called."""
    for runtime in runtimes:
        measurement = row.results.get(runtime.name)
        if measurement is None:
            continue
        if not measurement.failure:
            progress(f"{row.scenario.name} {row.compiler} {row.threads} {runtime.name}")
            _measure(measurement, row, runtime, settings)
        progress("")


def run_rounds(found: list[Row], runtimes: list[Runtime], settings: Settings, progress) -> None:
    """All rounds of all rows: the first in any case, the others while there is time."""
    end = time.monotonic() + settings.seconds
    for number in range(max((rounds_of(row, settings) for row in found), default=0)):
        for row in found:
            if number == 0 or (number < rounds_of(row, settings) and time.monotonic() < end):
                _run_round(row, runtimes, settings, progress)


def run_again(found: list[Row], runtimes: list[Runtime], settings: Settings, seconds: float,
              progress) -> None:
    """More rounds for the rows given, all runtimes alike, beside what they showed before."""
    end = time.monotonic() + seconds
    for _ in range(settings.again):
        for row in found:
            if time.monotonic() >= end:
                return
            row.again = True
            _run_round(row, runtimes, settings, progress)
