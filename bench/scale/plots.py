# SPDX-License-Identifier: Apache-2.0
"""Draws the rows of scale.json: a file for each construct, a group of bars for each machine."""
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = {"tulle": "#e4572e", "libgomp": "#8b95a1", "flags": "#c4c9cd", "hyper": "#3b82c4", "dist": "#9a6fd0",
           "tree": "#2a9d8f"}


def write(rows, folder: Path):
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tulle", "font.size": 9})
    for construct in dict.fromkeys(row["construct"] for row in rows):
        of_it = [row for row in rows if row["construct"] == construct]
        figure, axes = plt.subplots(figsize=(9, 1 + 0.55 * len(of_it)), layout="constrained")
        for place, (name, colour) in enumerate(COLOURS.items()):
            times = [(row["tulle"] if name == "tulle" else row["peers"][name]) or 0 for row in of_it]
            axes.barh([i + 0.13 * place for i in range(len(of_it))], [t / 1000 for t in times], 0.12, color=colour,
                      label=name)
        axes.set_yticks([i + 0.33 for i in range(len(of_it))], [f"{row['machine']}, {row['cores']}" for row in of_it])
        axes.set_xscale("log")
        axes.set_xlabel(f"{construct} in the model, us")
        axes.invert_yaxis()
        axes.legend(frameon=False)
        figure.savefig(folder / f"scale-{construct}.svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
