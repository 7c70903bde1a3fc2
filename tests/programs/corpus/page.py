# SPDX-License-Identifier: Apache-2.0
"""Writes docs/corpus.md and its plot from the results of each program. It needs matplotlib.
usage: page.py FOLDER DOCS"""
import json
import math
import statistics
import sys
from pathlib import Path

from situations import SITUATIONS

TEMPLATE = Path(__file__).resolve().with_name("page.md")
NAMES = [one.name for one in SITUATIONS]
COLOURS = dict(zip(NAMES, ("#3b82c4", "#e4572e", "#2a9d8f", "#9a6fd0")))
MARKERS = dict(zip(NAMES, "osD^"))
MANY = "16 threads"
CPU_SHOWN = ("2 threads", MANY, "four at once")
PLOT = "corpus.svg"


def read(folder: Path) -> list[dict]:
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "results").glob("*.json"))]
    return sorted(found, key=lambda one: (one["source"], one["name"].lower()))


def ratios(found: dict, situation: str, what: str = "samples") -> list[float]:
    """One for each turn, in rising order: the machine changes from turn to turn more than within one."""
    result = found["situations"].get(situation, {})
    if "own" not in result:
        return []
    return sorted(ours / own for ours, own in zip(result["tulle"][what], result["own"][what]) if own)


def ratio(found: dict, situation: str, what: str = "samples") -> float | None:
    each = ratios(found, situation, what)
    return statistics.median(each) if each else None


def quartiles(found: dict, situation: str) -> str:
    each = ratios(found, situation)
    return f"{each[len(each) // 4]:.2f} to {each[(3 * len(each) - 1) // 4]:.2f}"


def shown(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def faults(found: dict) -> list[str]:
    wrong = [found["wrong"].splitlines()[0]] if found["wrong"] else []
    return wrong + [f"{result['wrong']} ({name})" for name, result in found["situations"].items() if "wrong" in result]


def verdict(found: dict) -> str:
    wrong = "; ".join(faults(found))
    if wrong:
        return f"**{wrong}**"
    return f"to {found['tolerance']:.0e}".replace("e-0", "e-") if found["tolerance"] else "same"


def pair(found: dict, what: str, scale: float = 1.0) -> str:
    result = found["situations"].get(MANY, {})
    if "own" not in result:
        return ""
    return f"{result['tulle'][what] / scale:.0f} ({result['own'][what] / scale:.0f})"


def table(found: list[dict]) -> str:
    head = ["program", "what it does", "answer", *(f"time, {name}" for name in NAMES),
            *(f"CPU time, {name}" for name in CPU_SHOWN), f"OS threads, {MANY}", f"peak MiB, {MANY}"]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for one in found:
        cells = [f"{one['name']} {one['version']}", one["about"], verdict(one),
                 *(shown(ratio(one, name)) for name in NAMES),
                 *(shown(ratio(one, name, "cpu_samples")) for name in CPU_SHOWN),
                 pair(one, "os_threads"), pair(one, "peak_kib", 1024)]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def mean(ratios: list[float]) -> str:
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else "-"


def summary(found: list[dict]) -> str:
    lines = ["| | programs | turns | others took of the machine, % | geometric mean of times | of CPU times | "
             "slower by over 3 %: time (quartiles), CPU time |", "|---|---|---|---|---|---|---|"]
    for name in NAMES:
        held = [one for one in found if ratio(one, name)]
        if not held:
            continue
        results = [one["situations"][name] for one in held]
        times, cpu = ([ratio(one, name, what) for one in held] for what in ("samples", "cpu_samples"))
        slower = "; ".join(f"{one['name']} {time:.2f} ({quartiles(one, name)}), {work:.2f}" for one, time, work in zip(held, times, cpu)
                           if time > 1.03)
        lines.append(f"| {name} | {len(held)} | {spread([len(one['tulle']['samples']) for one in results])} | "
                     f"{spread([100 * one['others'] for one in results])} | {mean(times)} | {mean(cpu)} | {slower} |")
    return "\n".join(lines)


def spread(values: list[float]) -> str:
    values = sorted(values)
    return f"{values[0]:.0f} to {values[-1]:.0f}" if values[0] != values[-1] else f"{values[0]:.0f}"


def conditions(found: list[dict]) -> str:
    machines = sorted({f"{one['machine']['cores']} cores of {one['machine']['processor']}" for one in found})
    days = sorted({one["date"][:10] for one in found})
    return f"{'; '.join(machines)}; {' and '.join(dict.fromkeys((days[0], days[-1])))}"


def draw(found: list[dict], path: Path) -> None:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tulle", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(8.5, 0.9 + 0.22 * len(found)), layout="constrained")
    for name in NAMES:
        points = [(value, y) for y, one in enumerate(found) if (value := ratio(one, name))]
        if points:
            axes.scatter(*zip(*points), s=22, marker=MARKERS[name], color=COLOURS[name], label=name, linewidths=0)
    axes.axvline(1.0, color="#4a5261", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_yticks(range(len(found)), [one["name"] for one in found])
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.grid(color="#eceef1")
    axes.set_axisbelow(True)
    axes.set_xlabel("time under Tulle over time under its own runtime (left of 1 is faster)")
    figure.legend(loc="outside upper center", ncols=len(NAMES), fontsize=8, frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def text(found: list[dict]) -> str:
    parts = {"@conditions@": conditions(found), "@summary@": summary(found), "@table@": table(found), "@plot@": PLOT}
    written = TEMPLATE.read_text(encoding="utf-8")
    for mark, content in parts.items():
        written = written.replace(mark, content)
    return written


def write(folder: Path, docs: Path) -> None:
    found = read(folder)
    draw(found, docs / PLOT)
    (docs / "corpus.md").write_text(text(found), encoding="utf-8")
    print(f"{docs / 'corpus.md'}: {len(found)} programs")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
