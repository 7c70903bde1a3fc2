# SPDX-License-Identifier: Apache-2.0
"""Draws what run.py found: a pair of bars for each case. It needs matplotlib, and reads from standard input
{"title", "cases": [[name, {runtime: milliseconds, or what went wrong}], ...]}.

usage: picture.py FILE
"""
import json
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tulle", "font.family": "sans-serif", "font.size": 9})
COLOURS = {"libgomp": "#e0a030", "Tulle": "#3b7dd8"}
THICKNESS = 0.36


def text_of(ms):
    return f"{ms:.3g} ms" if ms < 1000 else f"{ms / 1000:.3g} s"


def main():
    told = json.load(sys.stdin)
    cases = told["cases"]
    times = [value for _, by_runtime in cases for value in by_runtime.values() if not isinstance(value, str)]
    least, most = min(times) / 2, max(times) * 2.5
    figure, axes = plt.subplots(figsize=(7.5, 0.55 * len(cases) + 1.1))
    for place, (runtime, colour) in enumerate(COLOURS.items()):
        for row, (_, by_runtime) in enumerate(cases):
            value, y = by_runtime[runtime], row + (place - 0.5) * THICKNESS
            failed = isinstance(value, str)
            axes.barh(y, (most if failed else value) - least, THICKNESS, left=least, color=colour,
                      hatch="///" if failed else None, edgecolor="white" if failed else colour,
                      label=runtime if row == 0 else None)
            axes.text(least * 1.1 if failed else value * 1.05, y, value if failed else text_of(value), va="center",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1} if failed else None)
    axes.set_xscale("log")
    axes.set_xlim(least, most)
    axes.set_yticks(range(len(cases)), [name for name, _ in cases])
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds (less is better)")
    axes.set_title(told["title"], loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    for side in "top", "right":
        axes.spines[side].set_visible(False)
    figure.savefig(sys.argv[1], bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
