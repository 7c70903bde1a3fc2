# SPDX-License-Identifier: Apache-2.0
"""The report's drawings, each returned as the text of an SVG element."""
import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from . import summary  # noqa: E402
from .rounds import Row  # noqa: E402
from .terminal import duration  # noqa: E402

PALETTE = {"libgomp": "#8b95a1", "libomp": "#3b82c4", "libiomp5": "#9a6fd0"}
OURS = ["#e4572e", "#f0a202", "#2a9d8f"]
VERDICTS = {"ahead": "#2f9e62", "level": "#4a8fd0", "behind": "#d9483b"}
# Drawn in these, and handed to the page as its own colours, which follow light and dark.
INK, SOFT, AXIS, GRID = "#1f2631", "#4a5261", "#c4c9cd", "#eceef1"
PAGE_COLOURS = {INK: "var(--ink)", SOFT: "var(--soft)", AXIS: "var(--axis)", GRID: "var(--grid)"}
MARKERS = {"gcc": "o", "clang": "s"}
DASHES = {"gcc": "-", "clang": "--"}

plt.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "tulle", "font.family": "sans-serif", "font.size": 9,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": AXIS,
    "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True, "xtick.color": SOFT,
    "ytick.color": SOFT, "axes.labelcolor": SOFT, "text.color": INK, "legend.frameon": False,
    "figure.constrained_layout.use": True,
})


def colour(name: str, names: list[str]) -> str:
    if name in PALETTE:
        return PALETTE[name]
    return OURS[[n for n in names if n not in PALETTE].index(name) % len(OURS)]


def _svg(figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    drawing = text.getvalue()[text.getvalue().index("<svg"):]
    for drawn, shown in PAGE_COLOURS.items():
        drawing = drawing.replace(drawn, shown)
    return drawing


def _label_decades(axis) -> None:
    """Labels within the decades too, where an axis has few of them."""
    low, high = axis.get_view_interval()
    if high < 30 * low:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 3 * low else range(1, 10)))


def _time_axis(axis) -> None:
    _label_decades(axis)
    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
    axis.set_minor_formatter(NullFormatter())


def _ratio_axis(axes) -> None:
    axes.axvline(1.0, color=SOFT, linewidth=0.8)
    axes.axvspan(1 - summary.LEVEL, 1 + summary.LEVEL, color=SOFT, alpha=0.1, linewidth=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def overview(chapters: list[tuple[str, list[tuple[float, str]]]]) -> str:
    """A line for each chapter, a dot for each of its rows: the ratio, coloured by the verdict."""
    chapters = [(title, ratios) for title, ratios in chapters if ratios]
    if not chapters:
        return ""
    figure, axes = plt.subplots(figsize=(9.4, 0.7 + 0.3 * len(chapters)))
    for verdict, shade in VERDICTS.items():
        points = [(ratio, y + 0.5 * ((i * 0.618) % 1 - 0.5)) for y, (_, ratios) in enumerate(chapters)
                  for i, (ratio, found) in enumerate(ratios) if found == verdict]
        if points:
            axes.scatter(*zip(*points), s=16, color=shade, alpha=0.75, linewidths=0)
    _ratio_axis(axes)
    axes.set_yticks(range(len(chapters)), [title for title, _ in chapters])
    axes.set_ylim(len(chapters) - 0.4, -0.6)
    axes.set_xlabel("time over the best peer's (left of 1 is faster)")
    return _svg(figure)


def relative(rows: list[Row], names: list[str], ours: str) -> str:
    """A line for each row, a dot for each runtime: time over the best peer's, logarithmic."""
    shown = [(row, summary.best_peer(row)) for row in rows]
    shown = [(row, best[1]) for row, best in shown if best]
    if not shown:
        return ""
    figure, axes = plt.subplots(figsize=(9.4, 0.9 + 0.19 * len(shown)))
    for name in names:
        points = [(summary.median(row.results.get(name)), best, y)
                  for y, (row, best) in enumerate(shown)]
        points = [(value / best, y) for value, best, y in points if value]
        axes.scatter([x for x, _ in points], [y for _, y in points], s=46 if name == ours else 24,
                     color=colour(name, names), label=name, zorder=3 if name == ours else 2,
                     marker="D" if name == ours else "o", linewidths=0)
    _ratio_axis(axes)
    axes.set_yticks(range(len(shown)), [f"{r.scenario.name}  {r.compiler}  {r.threads}" for r, _ in shown],
                    fontsize=7.5)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlabel("time over the best peer's (left of 1 is faster)")
    figure.legend(loc="outside upper center", ncols=len(names), fontsize=8)
    return _svg(figure)


def _series(axes, rows: list[Row], names: list[str], x_of, value_of=summary.median) -> bool:
    drawn = False
    for name in names:
        for compiler in dict.fromkeys(r.compiler for r in rows):
            points = [(x_of(r), value_of(r.results.get(name))) for r in rows if r.compiler == compiler]
            points = sorted((x, y) for x, y in points if x is not None and y)
            if not points:
                continue
            drawn = True
            axes.plot(*zip(*points), DASHES[compiler], marker=MARKERS[compiler], markersize=4,
                      linewidth=1.5, color=colour(name, names),
                      label=name if compiler == rows[0].compiler else None)
    axes.set_xscale("log")
    axes.set_yscale("log")
    return drawn


def over_threads(rows: list[Row], names: list[str]) -> str:
    """Time over the number of threads; GCC-built solid, Clang-built dashed."""
    figure, axes = plt.subplots(figsize=(3.7, 2.5))
    _series(axes, rows, names, lambda r: r.threads)
    ticks = sorted({r.threads for r in rows})
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("threads")
    _time_axis(axes.yaxis)
    return _svg(figure)


def bars(rows: list[Row], names: list[str]) -> str:
    """Medians side by side with the middle half of the samples, one group for each compiler."""
    figure, axes = plt.subplots(figsize=(3.7, 2.5))
    labels, place = [], 0
    for row in rows:
        for name in names:
            measurement = row.results.get(name)
            value = summary.median(measurement)
            if value is None:
                continue
            wide = (summary.spread(measurement) or 0.0) * value
            axes.barh(place, value, xerr=wide, color=colour(name, names), height=0.75,
                      error_kw={"elinewidth": 0.8, "ecolor": SOFT})
            labels.append((place, f"{name}  {row.compiler}"))
            place += 1
        place += 0.6
    axes.set_yticks([y for y, _ in labels], [text for _, text in labels], fontsize=7.5)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
    axes.xaxis.set_major_locator(plt.MaxNLocator(4))
    return _svg(figure)


def size_of(row: Row) -> int | None:
    found = re.search(r"_(\d+)(ns)?$", row.scenario.name)
    return int(found.group(1)) if found else None


def stem_of(row: Row) -> str:
    return re.sub(r"_(\d+)(ns)?$", "", row.scenario.name)


def _size_axis(axes, rows: list[Row], label: str) -> None:
    ticks = sorted({size_of(r) for r in rows if size_of(r) is not None})
    if ticks[0] == 0:
        axes.set_xscale("symlog", linthresh=ticks[1])
    axes.set_xticks(ticks, [f"{n:,}" for n in ticks], fontsize=7.5)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(label)


def second_thread(rows: list[Row], ours: str, label: str) -> str:
    """Our time on two threads over that on one, against the size: a line for each shape and compiler."""
    values = {(stem_of(r), r.compiler, size_of(r), r.threads): summary.median(r.results.get(ours))
              for r in rows if size_of(r) is not None}
    stems = list(dict.fromkeys(stem_of(r) for r in rows))
    figure, axes = plt.subplots(figsize=(9.4, 3.4))
    drawn = False
    for number, stem in enumerate(stems):
        for compiler in dict.fromkeys(r.compiler for r in rows):
            sizes = sorted({key[2] for key in values if key[:2] == (stem, compiler)})
            both = [(size, *(values.get((stem, compiler, size, n)) for n in (1, 2))) for size in sizes]
            points = [(size, two / one) for size, one, two in both if one and two]
            if len(points) < 2:
                continue
            drawn = True
            axes.plot(*zip(*points), DASHES[compiler], marker=MARKERS[compiler], markersize=4, linewidth=1.5,
                      color=f"C{number}", label=f"{stem.split('_', 1)[-1]} {compiler}")
    if not drawn:
        plt.close(figure)
        return ""
    axes.axhline(1.0, color=SOFT, linewidth=0.8)
    axes.set_yscale("log")
    _label_decades(axes.yaxis)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("two threads over one")
    _size_axis(axes, rows, label)
    figure.legend(loc="outside right upper", fontsize=7.5)
    return _svg(figure)


def over_size(rows: list[Row], names: list[str], label: str, title: str, note: str = "") -> str:
    """Time, or one of the notes beside it, over the number at the end of the scenarios' names."""
    figure, axes = plt.subplots(figsize=(3.7, 2.7))

    def noted(measurement):
        return measurement.detail.get(note) if measurement and not measurement.failure else None

    if not _series(axes, rows, names, size_of, noted if note else summary.median):
        plt.close(figure)
        return ""
    _size_axis(axes, rows, label)
    axes.set_title(title, fontsize=9)
    if note:
        axes.set_ylabel("KiB")
    else:
        _time_axis(axes.yaxis)
    return _svg(figure)
