#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Tulle beside libgomp, libomp and libiomp5 in one interleaved run."""
import argparse
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import naming, venv  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = """Examples:
  {command} --quick
  {command} --only flat,tasks --threads 2 --runtimes tulle,libgomp
  {command} --only barrier --runtimes old=../old/lib,tulle=build/release/lib,libomp
The first runtime that is not a peer is the one that ratios are given for. The first run fetches Python
packages and two of the peers from PyPI into a virtual environment in the folder of --build."""
MOST_THREADS = 512  # MAX_THREADS of frame/measure.h


def default_build() -> Path:
    """The build folder beside the sources; for an installed harness, a folder of the user's own."""
    if (ROOT / "CMakeLists.txt").exists():
        return ROOT / "build"
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tulle"


def words(text: str) -> list[str]:
    return [item for item in text.split(",") if item]


def number_from(least: float, kind: type = int):
    """A converter of an argument that accepts numbers from `least` on."""
    def convert(text: str):
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        if not value >= least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least:g}")
        return value
    return convert


def thread_counts(text: str) -> list[int]:
    counts = [number_from(1)(item) for item in words(text)]
    if max(counts, default=1) > MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{max(counts)} is more than {MOST_THREADS}")
    return counts


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        self.exit(2, f"{naming.command()}: {message} (--help says what there is)\n")


def arguments() -> argparse.Namespace:
    in_sources = (ROOT / "CMakeLists.txt").exists() and not naming.is_tulle_bench()
    parser = Parser(prog=naming.command(), description=__doc__, usage="%(prog)s [options]", allow_abbrev=False,
                    epilog=EXAMPLES.format(command=naming.command()),
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--as-tulle-bench", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--only", type=words, default=[], help="scenario names, prefixes or groups")
    parser.add_argument("--threads", type=thread_counts, default=[],
                        help="numbers of threads, for all scenarios")
    parser.add_argument("--runtimes", type=words, default=["tulle", "libgomp", "libomp", "libiomp5"],
                        help="names, or NAME=FOLDER")
    parser.add_argument("--compilers", type=words, default=["gcc", "clang"])
    parser.add_argument("--quick", action="store_true", help="two minutes on two cores")
    parser.add_argument("--rounds", type=number_from(1), help="how often each runtime has its turn")
    parser.add_argument("--again", type=number_from(0),
                        help="rounds more for rows in which Tulle may be behind (3; 0 in a quick run)")
    parser.add_argument("--minutes", type=number_from(0, float),
                        help="when to begin no further round (27, or 1.4 in a quick run, if --rounds is "
                             "not given)")
    parser.add_argument("--resume", type=Path, metavar="JSON",
                        help="results of an earlier run: its rows stay, and those in which Tulle may be behind "
                             "are measured again, afresh if Tulle's library is another one now")
    parser.add_argument("--samples", type=number_from(1), help="samples in a turn")
    parser.add_argument("--target-ms", type=number_from(0.001, float), help="length of a sample")
    parser.add_argument("--statistic", choices=["median", "min"], default="median",
                        help="min, with short samples, bears a busy machine best")
    parser.add_argument("--patience", type=number_from(0, float),
                        help="seconds in all to wait for other processes to leave the cores")
    parser.add_argument("--nice", type=int, default=0,
                        help="priority of the programs: as root, -20 keeps others off the cores")
    parser.add_argument("--bind", action=argparse.BooleanOptionalAction, default=True,
                        help="set OMP_PROC_BIND=close and OMP_PLACES=cores, as GLTO's authors did: else the "
                             "kernel may keep two members on one core, or move them (set)")
    parser.add_argument("--limit", type=number_from(0.1, float), help="seconds after which a run is stopped")
    parser.add_argument("--keep-environment", action="store_true",
                        help="pass OMP_*, KMP_*, GOMP_* and TULLE_* variables on to the programs")
    parser.add_argument("--build", type=Path, default=default_build(),
                        help="where programs are built, packages fetched and reports written (%(default)s)")
    parser.add_argument("--tulle", type=Path, help="Tulle's library folder"
                        + (" (BUILD/release/lib)" if in_sources else ""))
    parser.add_argument("--json", type=Path, help="where to write the results (BUILD/report/results.json)")
    parser.add_argument("--record", action="store_true",
                        help="keep machine, versions and summary in docs/bench/summary.json"
                        if in_sources else argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="print the scenarios and stop")
    options = parser.parse_args()
    complaint = unknown_names(options)
    if complaint:
        parser.error(complaint)
    return options


def unknown_names(options: argparse.Namespace) -> str:
    """What is wrong with names given, or nothing."""
    from harness import build, peers, scenarios

    for pattern in options.only:
        if not scenarios.select([pattern]):
            return f"--only: no scenario fits '{pattern}' (--list names them)"
    for name in options.compilers:
        if name not in build.COMPILERS:
            return f"--compilers: '{name}' is none of {', '.join(build.COMPILERS)}"
    for item in options.runtimes:
        name, given, _ = item.partition("=")
        if not name or (not given and name not in ("tulle", *peers.PEERS)):
            return f"--runtimes: '{item}' is none of tulle, {', '.join(peers.PEERS)}, and no NAME=FOLDER"
    if options.resume and not options.resume.is_file():
        return f"--resume: there is no file {options.resume}"
    if options.record and not (ROOT / "CMakeLists.txt").exists():
        return "--record: there is no source tree to keep the summary in"
    names = [item.partition("=")[0] for item in options.runtimes]
    twice = next((name for name in names if names.count(name) > 1), "")
    return f"--runtimes: '{twice}' stands there twice" if twice else ""


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
    settings.processes = 0 if options.quick or options.rounds else settings.processes
    settings.rounds = options.rounds or settings.rounds
    settings.samples = options.samples or settings.samples
    settings.target_ms = options.target_ms or settings.target_ms
    settings.limit_s = options.limit or settings.limit_s
    if options.minutes is not None or options.rounds is None:
        minutes = 1.4 if options.quick else 27.0
        settings.seconds = 60 * (minutes if options.minutes is None else options.minutes)
    settings.again = (0 if options.quick else 3) if options.again is None else options.again
    return settings


def prepare(options: argparse.Namespace, selected: list, runtimes: list) -> list:
    """Builds what is needed and returns the rows that can be run."""
    from harness import build, rounds

    compilers = [c for c in options.compilers if build.available(c)]
    for absent in (c for c in options.compilers if c not in compilers):
        print(f"{naming.command()}: no {build.driver(absent)}: nothing is measured that {absent} builds",
              file=sys.stderr)
    found = rounds.rows(selected, compilers, runtimes, options.threads, options.quick)
    jobs = sorted({(row.compiler, row.scenario.program) for row in found})
    failed = build.build_all(options.build, jobs)
    for (compiler, program), complaint in failed.items():
        print(f"{naming.command()}: {program} was not built by {compiler}:\n{complaint}", file=sys.stderr)
    return [row for row in found if (row.compiler, row.scenario.program) not in failed]


def measure(found: list, runtimes: list, settings, ours: str, earlier) -> None:
    from harness import rounds, summary, terminal

    begin = time.monotonic()
    new = earlier.take_up(found, ours) if earlier else found
    with terminal.progress_bar() as bar:
        task = bar.add_task("", total=sum(rounds.rounds_of(row, settings) * len(row.results) for row in new))

        def step(text: str) -> None:
            bar.update(task, description=text) if text else bar.advance(task)

        rounds.run_rounds(new, runtimes, settings, step)
        again = [row for row in found if summary.may_be_behind(row, ours)] if settings.again else []
        turns = settings.again * sum(len(row.results) for row in again)
        bar.reset(task, total=turns, description="rows that may be behind")
        rounds.run_again(again, runtimes, settings, settings.seconds - (time.monotonic() - begin), step)


def write_results(options: argparse.Namespace, document: dict, found: list, runtimes: list,
                  ours: str) -> None:
    """The JSON document, and the page unless only the JSON was asked for."""
    from harness import record

    folder = options.build / "report"
    path = options.json or folder / "results.json"
    record.write(path, document)
    print(f"results: {path}")
    if options.record:
        kept = {key: document[key] for key in ("date", "machine", "versions", "settings", "summary", "tables")}
        record.write(ROOT / "docs" / "bench" / "summary.json", kept)
    if not options.json and found:
        from harness import report

        print(f"report: {report.write(folder, found, [r.name for r in runtimes], ours, document)}")


def fails(row, ours: str) -> bool:
    """Our runtime did not end, crashed, or gave a wrong result."""
    return ours in row.results and row.results[ours].failure != ""


def main() -> int:
    options = arguments()
    from harness import scenarios

    if options.list:
        print("\n".join(f"{s.group:12} {s.name}" for s in scenarios.select(options.only)))
        return 0
    options.build = options.build.resolve()
    venv.enter(options.build)
    from harness import graph_tables, peers, record, resume, summary, terminal

    selected = scenarios.select(options.only)
    runtimes, missing = peers.select(options.runtimes, options.build, options.tulle)
    for name in missing:
        print(f"{naming.command()}: runtime {name} not found, left out", file=sys.stderr)
    if not runtimes:
        print(f"{naming.command()}: no runtime to measure", file=sys.stderr)
        return 2
    ours = next((r.name for r in runtimes if not r.is_peer), "tulle")
    settings = settings_of(options)
    summary.statistic = options.statistic
    try:
        earlier = resume.Earlier(options.resume, runtimes) if options.resume else None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        print(f"{naming.command()}: --resume: {options.resume} has no results of an earlier run: {problem!r}",
              file=sys.stderr)
        return 2
    found = prepare(options, selected, runtimes)
    if not found:
        print(f"{naming.command()}: nothing to measure: no scenario with these compilers and runtimes"
              + (" in a quick run" if options.quick else ""), file=sys.stderr)
        return 2
    begin = time.monotonic()
    measure(found, runtimes, settings, ours, earlier)
    terminal.print_table(found, runtimes, ours)
    tables = graph_tables.of_run(found, next((r for r in runtimes if r.name == ours), None), settings.quick)
    print("".join(f"\n{table.text()}\n" for table in tables), end="")
    document = record.document(found, runtimes, settings, ours, time.monotonic() - begin, tables)
    write_results(options, document, found, runtimes, ours)
    return 1 if any(fails(row, ours) for row in found) else 0


if __name__ == "__main__":
    # As Ctrl-C: the program that runs just then is ended too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(f"{naming.command()}: interrupted")
