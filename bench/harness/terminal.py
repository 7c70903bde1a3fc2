# SPDX-License-Identifier: Apache-2.0
"""The table and the progress bar on the terminal."""
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from . import summary
from .peers import Runtime
from .rounds import Measurement, Row

MANY_PROCESSES = 6  # from which on their range says more than the samples' spread
COLOURS = {"ahead": "green", "level": "cyan", "behind": "red"}


def duration(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def amount(measurement: Measurement) -> str:
    """The measured value in its unit: a time, or bytes."""
    return _in_unit(summary.median(measurement), measurement)


def _in_unit(value: float | None, measurement: Measurement) -> str:
    if measurement.detail.get("unit", "ns") == "B" and value is not None:
        return f"{value:,.0f} B"
    return duration(value)


def _cell(measurement: Measurement | None) -> str:
    if measurement is None:
        return ""
    if measurement.failure:
        return f"[red]{measurement.failure}[/]"
    wide = summary.spread(measurement)
    note = f" [dim]±{100 * wide:.0f}%[/]" if wide is not None and wide >= 0.1 else ""
    processes = summary.of_processes(measurement)
    if len(processes) >= MANY_PROCESSES:
        note = f" [dim]{min(processes):.3g}–{max(processes):.3g}[/]"
    noisy = "[yellow]~[/]" if 2 * measurement.disturbed > measurement.runs else ""
    return noisy + amount(measurement) + note


def bounds_text(row: Row) -> str:
    """The bounds of a row that has results: a share of the best peer's time, or a time or bytes."""
    share, most = summary.bounds_of(row)
    parts = [f"≤{share:.3g}"] if share is not None else []
    return " ".join(parts + ([f"≤{_in_unit(most, next(iter(row.results.values())))}"] if most is not None else []))


def _verdict(row: Row, entry: dict) -> str:
    held = summary.holds_bounds(row, entry)
    goal = "" if held is None else f", goal {bounds_text(row)} " + ("[green]met[/]" if held else "[red]missed[/]")
    return f"[{COLOURS.get(entry['verdict'], 'dim')}]{entry['verdict']}[/]{goal}"


def _os_threads(row: Row) -> str:
    if row.scenario.group != "nested":
        return ""
    return " ".join(str(m.detail.get("os_threads_peak", "-")) for m in row.results.values())


def print_table(rows: list[Row], runtimes: list[Runtime], ours: str) -> None:
    table = Table(title=f"{summary.statistic} time of one construct; ratio to the best peer; ~: disturbed by "
                        "other processes", caption="after a time: the spread of its samples, or the range of "
                        "its processes (ns); verdict: beside the best peer; goal: what Tulle wants of itself, a "
                        "share of the best peer's time or a time")
    for heading in ("scenario", "built by", "thr"):
        table.add_column(heading)
    for runtime in runtimes:
        table.add_column(runtime.name, justify="right")
    for heading in ("ratio", "verdict", "OS threads"):
        table.add_column(heading)
    for row in rows:
        entry = summary.summarise(row, ours)
        ratio = "" if entry["ratio"] is None else f"{entry['ratio']:.3g}"
        table.add_row(row.scenario.name, row.compiler, str(row.threads),
                      *(_cell(row.results.get(r.name)) for r in runtimes),
                      ratio, _verdict(row, entry), _os_threads(row))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 60 + 24 * len(runtimes)
    console.print(table)
    _print_means(console, rows, ours)


def _print_means(console: Console, rows: list[Row], ours: str) -> None:
    for compiler, mean in summary.flat_means(rows, ours):
        console.print(f"flat, two threads, {compiler}: geometric mean {mean:.3g} (bound 0.8)")
    for name, compiler, ratio, bound in summary.self_ratios(rows, ours):
        colour = "green" if ratio <= bound else "red"
        console.print(f"{name} {compiler}: 36 threads take [{colour}]{ratio:.3g}[/] of the time of two "
                      f"(bound {bound})")


def progress_bar() -> Progress:
    return Progress(TextColumn("{task.description:44}"), BarColumn(), MofNCompleteColumn(),
                    TimeRemainingColumn(), console=Console(stderr=True), transient=True)
