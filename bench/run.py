#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Tulle beside libgomp, libomp and libiomp5 in one interleaved run.

Examples:
  bench/run.py --quick
  bench/run.py --only flat,tasks --threads 2 --runtimes tulle,libgomp
  bench/run.py --only barrier --runtimes old=../old/lib,tulle=build/release/lib,libomp
The first runtime that is not a peer is the one that ratios are given for.
"""
import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import venv  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def default_build() -> Path:
    """The build folder beside the sources; for an installed harness, a folder of the user's own."""
    if (ROOT / "CMakeLists.txt").exists():
        return ROOT / "build"
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tulle"


def words(text: str) -> list[str]:
    return [item for item in text.split(",") if item]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=words, default=[], help="scenario names, prefixes or groups")
    parser.add_argument("--threads", type=words, default=[], help="numbers of threads, for all scenarios")
    parser.add_argument("--runtimes", type=words, default=["tulle", "libgomp", "libomp", "libiomp5"],
                        help="names, or NAME=FOLDER")
    parser.add_argument("--compilers", type=words, default=["gcc", "clang"])
    parser.add_argument("--quick", action="store_true", help="two minutes on two cores")
    parser.add_argument("--rounds", type=int, help="how often each runtime has its turn")
    parser.add_argument("--samples", type=int, help="samples in a turn")
    parser.add_argument("--target-ms", type=float, help="length of a sample")
    parser.add_argument("--statistic", choices=["median", "min"], default="median",
                        help="min, with short samples, bears a busy machine best")
    parser.add_argument("--patience", type=float,
                        help="seconds in all to wait for other processes to leave the cores")
    parser.add_argument("--nice", type=int, default=0,
                        help="priority of the programs: as root, -20 keeps others off the cores")
    parser.add_argument("--bind", action="store_true",
                        help="set OMP_PROC_BIND=close and OMP_PLACES=cores, as GLTO's authors did")
    parser.add_argument("--limit", type=float, help="seconds after which a run is stopped")
    parser.add_argument("--keep-environment", action="store_true",
                        help="pass OMP_*, KMP_*, GOMP_* and TULLE_* variables on to the programs")
    parser.add_argument("--build", type=Path, default=default_build(), help="build folder")
    parser.add_argument("--tulle", type=Path, help="Tulle's library folder (BUILD/release/lib)")
    parser.add_argument("--json", type=Path, help="where to write the results (build/report/results.json)")
    parser.add_argument("--record", action="store_true",
                        help="keep machine, versions and summary in docs/bench/summary.json")
    parser.add_argument("--list", action="store_true", help="print the scenarios and stop")
    return parser.parse_args()


def settings_of(options: argparse.Namespace):
    from harness.quiet import Patience
    from harness.rounds import Settings

    settings = Settings(build=options.build, quick=options.quick,
                        keep_environment=options.keep_environment, nice=options.nice,
                        bind=options.bind)
    patience = 20.0 if options.quick else 120.0
    settings.patience = Patience(patience if options.patience is None else options.patience)
    if options.quick:
        settings.rounds, settings.samples = 2, 3
        settings.target_ms, settings.budget_s, settings.limit_s = 5.0, 0.3, 4.0
    settings.rounds = options.rounds or settings.rounds
    settings.samples = options.samples or settings.samples
    settings.target_ms = options.target_ms or settings.target_ms
    settings.limit_s = options.limit or settings.limit_s
    return settings


def prepare(options: argparse.Namespace, selected: list, runtimes: list) -> list:
    """Builds what is needed and returns the rows that can be run."""
    from harness import build, rounds

    compilers = [c for c in options.compilers if build.available(c)]
    found = rounds.rows(selected, compilers, runtimes, [int(n) for n in options.threads], options.quick)
    jobs = sorted({(row.compiler, row.scenario.program) for row in found})
    failed = build.build_all(options.build, jobs)
    for (compiler, program), complaint in failed.items():
        print(f"run.py: {program} was not built by {compiler}:\n{complaint}", file=sys.stderr)
    return [row for row in found if (row.compiler, row.scenario.program) not in failed]


def measure(found: list, runtimes: list, settings) -> None:
    from harness import rounds, terminal

    with terminal.progress_bar() as bar:
        total = sum(rounds.rounds_of(row, settings) * len(row.results) for row in found)
        task = bar.add_task("", total=total)

        def step(text: str) -> None:
            bar.update(task, description=text) if text else bar.advance(task)

        for row in found:
            rounds.run_row(row, runtimes, settings, step)


def write_results(options: argparse.Namespace, document: dict, found: list, runtimes: list,
                  ours: str) -> None:
    """The JSON document, and the page unless only the JSON was asked for."""
    from harness import record

    folder = options.build / "report"
    path = options.json or folder / "results.json"
    record.write(path, document)
    print(f"results: {path}")
    if options.record:
        kept = {key: document[key] for key in ("date", "machine", "versions", "settings", "summary")}
        record.write(ROOT / "docs" / "bench" / "summary.json", kept)
    if not options.json and found:
        from harness import report

        print(f"report: {report.write(folder, found, [r.name for r in runtimes], ours, document)}")


def fails(row, ours: str) -> bool:
    """Our runtime did not end, crashed, or gave a wrong result."""
    return ours in row.results and row.results[ours].failure != ""


def main() -> int:
    options = arguments()
    options.build = options.build.resolve()
    venv.enter(options.build)
    from harness import peers, record, scenarios, summary, terminal

    selected = scenarios.select(options.only)
    if options.list or not selected:
        print("\n".join(f"{s.group:12} {s.name}" for s in selected or scenarios.everything()))
        return 0 if selected else 2
    runtimes, missing = peers.select(options.runtimes, options.build, options.tulle)
    for name in missing:
        print(f"run.py: runtime {name} not found, left out", file=sys.stderr)
    if not runtimes:
        return 2
    ours = next((r.name for r in runtimes if not r.is_peer), "tulle")
    settings = settings_of(options)
    summary.statistic = options.statistic
    found = prepare(options, selected, runtimes)
    measure(found, runtimes, settings)
    terminal.print_table(found, runtimes, ours)
    write_results(options, record.document(found, settings, ours), found, runtimes, ours)
    return 1 if not found or any(fails(row, ours) for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
