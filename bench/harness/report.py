# SPDX-License-Identifier: Apache-2.0
"""build/report/index.html: an overview, a chapter for each group of scenarios, and the final table."""
import collections
import math
from dataclasses import dataclass, field
from pathlib import Path

import jinja2

from . import families, graph_tables, plots, summary
from .rounds import Measurement, Row
from .terminal import amount, bounds_text

TEMPLATE = Path(__file__).resolve().parent / "report.html"
NOTES = {"os_threads_peak": "OS threads at once", "os_threads_created": "OS threads created by the process",
         "os_threads_made": "OS threads created a nest", "ults_made": "ULTs made a nest",
         "queued_share": "share of tasks queued", "growth_kib": "memory taken (KiB)"}
BAR_DECADES = 1.5  # of ratios, on each side of 1


@dataclass
class Card:
    """One scenario: its drawing and its table."""
    name: str
    plot: str
    caption: str
    rows: list[dict]
    facts: list["Fact"]


@dataclass
class Fact:
    """Something counted beside the time: a line of cells for each row."""
    title: str
    lines: list[tuple[str, list[str]]]


@dataclass
class Figure:
    drawing: str
    caption: str
    wide: bool = False


@dataclass
class Chapter:
    group: str
    family: families.Family
    figures: list[Figure] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    tables: list[dict] = field(default_factory=list)


def _shown_notes(row: Row) -> list[str]:
    wanted = {"nested": ["os_threads_peak", "os_threads_created", "os_threads_made", "ults_made"], "multizone": ["os_threads_peak"],
              "octree": ["os_threads_peak", "os_threads_created"], "cg": ["queued_share"],
              "cholesky": ["growth_kib"], "pathfinding": ["growth_kib"]}
    return wanted.get(row.scenario.group, [])


def _cell(row: Row, name: str) -> dict | None:
    measurement = row.results.get(name)
    if measurement is None:
        return None
    wide = summary.spread(measurement)
    processes = summary.of_processes(measurement)
    cpus = sorted({str(sorted(members)) for members in measurement.cpus if members})
    return {"time": measurement.failure or amount(measurement),
            "processes": f"{len(processes)} processes: {min(processes):.4g} to {max(processes):.4g}; CPUs "
                         + (" or ".join(cpus) or "unknown") if processes else "",
            "failed": bool(measurement.failure), "runs": measurement.runs,
            "spread": "" if wide is None else f"±{100 * wide:.0f} %",
            "disturbed": 2 * measurement.disturbed > measurement.runs}


def _count(measurement: Measurement | None, key: str) -> str:
    if measurement is None:
        return ""
    value = measurement.detail.get(key)
    return "–" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _facts(rows: list[Row], names: list[str]) -> list[Fact]:
    found = []
    for key in _shown_notes(rows[0]):
        lines = [(f"{row.compiler}, {row.threads}", [_count(row.results.get(name), key) for name in names])
                 for row in rows]
        if any(cell not in ("", "–") for _, cells in lines for cell in cells):
            found.append(Fact(NOTES[key], lines))
    return found


def _bar(ratio: float | None) -> dict | None:
    """Where a bar from ratio 1 to `ratio` begins and how long it is, in per cent of its cell."""
    if ratio is None:
        return None
    reach = max(-1.0, min(1.0, math.log10(ratio) / BAR_DECADES))
    return {"left": 50 + 50 * min(0.0, reach), "width": max(1.0, 50 * abs(reach))}


def _table_row(row: Row, names: list[str], ours: str) -> dict:
    entry = summary.summarise(row, ours)
    interval = summary.interval(row, ours)
    held = summary.holds_bounds(row, entry)
    ratio = entry["ratio"]
    return {"scenario": row.scenario.name, "compiler": row.compiler, "threads": row.threads,
            "group": row.scenario.group, "value": ratio, "bar": _bar(ratio), "again": row.again,
            "runs": max(m.runs for m in row.results.values()),
            "settled": summary.is_settled(entry, interval),
            "cells": [_cell(row, name) for name in names],
            "ratio": "" if ratio is None else f"{ratio:.3g}",
            "interval": "" if interval is None else f"{interval[0]:.2g} – {interval[1]:.2g}" if interval[1] < 0.1
            else f"{interval[0]:.3g} – {interval[1]:.3g}",
            "verdict": entry["verdict"], "bound": "" if held is None else bounds_text(row),
            "met": held}


def _runs(rows: list[Row]) -> str:
    counts = [max(m.runs for m in r.results.values()) for r in rows]
    least, most = min(counts), max(counts)
    return f"{least if least == most else f'{least} to {most}'} run{'s' if most != 1 else ''} each"


def _range_caption(rows: list[Row], ours: str) -> str:
    """The least and the greatest ratio to the best peer, and the number of runs."""
    ratios = [ratio for ratio in (summary.summarise(r, ours)["ratio"] for r in rows) if ratio is not None]
    span = f"ratio to the best peer: {min(ratios):.3g} to {max(ratios):.3g}; " if ratios else ""
    return span + _runs(rows)


def _caption(rows: list[Row], ours: str) -> str:
    """The ratios to the best peer and the number of runs behind the drawing."""
    ratios = [(r, summary.summarise(r, ours)["ratio"]) for r in rows]
    parts = [f"{r.compiler} {r.threads}: {ratio:.3g}" for r, ratio in ratios if ratio is not None]
    prefix = "ratio to the best peer: " + ", ".join(parts) + "; " if parts else ""
    return prefix + _runs(rows)


def _card(rows: list[Row], names: list[str], ours: str) -> Card:
    several = len({r.threads for r in rows}) > 1
    plot = plots.over_threads(rows, names) if several else plots.bars(rows, names)
    return Card(rows[0].scenario.name, plot, _caption(rows, ours), [_table_row(r, names, ours) for r in rows],
                _facts(rows, names))


def _size_figures(rows: list[Row], names: list[str], ours: str, label: str) -> list[Figure]:
    found = []
    by_stem = collections.defaultdict(list)
    for row in rows:
        if plots.size_of(row) is not None:
            by_stem[(plots.stem_of(row), row.threads)].append(row)
    for (stem, threads), members in by_stem.items():
        if len({plots.size_of(r) for r in members}) < 2:
            continue
        title = f"{stem}, {threads} thread" + ("s" if threads != 1 else "")
        found.append(Figure(plots.over_size(members, names, label, title), _range_caption(members, ours)))
        if threads == 2 and "growth_kib" in _shown_notes(members[0]):
            found.append(Figure(plots.over_size(members, names, label, f"{stem}: memory", "growth_kib"),
                                _runs(members)))
    return [figure for figure in found if figure.drawing]


def _chapter(group: str, rows: list[Row], names: list[str], ours: str) -> Chapter:
    chapter = Chapter(group, families.family(group))
    if group in ("flat", "tasks", "nested", "bots"):
        drawing = plots.relative(rows, names, ours)
        chapter.figures += [Figure(drawing, _range_caption(rows, ours), True)] if drawing else []
    if chapter.family.size_axis:
        chapter.figures += _size_figures(rows, names, ours, chapter.family.size_axis)
    if group == "grain":
        drawing = plots.second_thread(rows, ours, chapter.family.size_axis)
        chapter.figures += [Figure(drawing, _range_caption(rows, ours), True)] if drawing else []
    for name in dict.fromkeys(r.scenario.name for r in rows):
        chapter.cards.append(_card([r for r in rows if r.scenario.name == name], names, ours))
    return chapter


def _overview(chapters: list[Chapter], rows: list[Row], ours: str) -> str:
    found = []
    for chapter in chapters:
        entries = [summary.summarise(r, ours) for r in rows if r.scenario.group == chapter.group]
        found.append((chapter.family.title, [(e["ratio"], e["verdict"]) for e in entries if e["ratio"]]))
    return plots.overview(found)


def write(folder: Path, rows: list[Row], names: list[str], ours: str, document: dict) -> Path:
    groups = dict.fromkeys(r.scenario.group for r in rows)
    chapters = [_chapter(g, [r for r in rows if r.scenario.group == g], names, ours) for g in groups]
    if document["tables"]:
        next(chapter for chapter in chapters if chapter.group in graph_tables.GROUPS).tables = document["tables"]
    table = [_table_row(r, names, ours) for r in rows]
    verdicts = collections.Counter(entry["verdict"] for entry in document["summary"])
    behind = sorted((row for row in table if row["verdict"] == "behind"),
                    key=lambda row: -(row["value"] or math.inf))
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    page = environment.from_string(TEMPLATE.read_text()).render(
        chapters=chapters, names=names, ours=ours, document=document, verdicts=verdicts,
        colours={name: plots.colour(name, names) for name in names},
        overview=_overview(chapters, rows, ours), summary=table, behind=behind,
        self_ratios=summary.self_ratios(rows, ours), means=summary.flat_means(rows, ours))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    path.write_text(page)
    return path
