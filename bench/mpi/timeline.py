#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws timeline.c's tasks, measured without libtulle-mpi and with it: `timeline.py TULLE OUTPUT.svg [--mpi openmpi]`."""
import argparse
import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT, TOP, ROW, WIDTH, SCALE_H = 92, 44, 15, 640, 26
WAITS, COMPUTES = "#c9b8dd", "#2f9e77"


def measured(options, program, *more):
    root = ["--allow-run-as-root", "--bind-to", "none", "--oversubscribe"] if options.mpi == "openmpi" else []
    words = [f"mpirun.{options.mpi}", *root, "-n", "2", options.tulle, "run", *more, "--", program]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    runs = []
    for _ in range(options.times):
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60, env=kept)
        runs.append([tuple(map(float, line.split())) for line in done.stdout.splitlines()])
    return min(runs, key=lambda run: max(task[2] for task in run))


def rows(title, tasks, y, per_ms):
    parts = [f'<text x="4" y="{y - 6}" font-weight="bold">{title}: {max(task[2] for task in tasks):.1f} ms</text>']
    for number, (asked, came, ended) in enumerate(tasks):
        top = y + number * ROW
        parts.append(f'<text x="{LEFT - 8}" y="{top + 11}" text-anchor="end">task {number + 1}</text>')
        for begin, end, colour in ((asked, came, WAITS), (came, ended, COMPUTES)):
            parts.append(f'<rect x="{LEFT + begin * per_ms:.1f}" y="{top}" width="{(end - begin) * per_ms:.1f}" '
                         f'height="{ROW - 3}" fill="{colour}"/>')
    return parts


def scale(y, last, per_ms):
    parts = [f'<rect x="{LEFT}" y="{y}" width="{WIDTH}" height="1"/>']
    for ms in range(0, int(last) + 1, 10):
        parts.append(f'<rect x="{LEFT + ms * per_ms:.1f}" y="{y}" width="1" height="4"/>'
                     f'<text x="{LEFT + ms * per_ms:.1f}" y="{y + 16}" text-anchor="middle">{ms} ms</text>')
    return parts


def key(x, colour, text):
    return f'<rect x="{x}" y="6" width="11" height="11" fill="{colour}"/><text x="{x + 16}" y="16">{text}</text>'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tulle")
    parser.add_argument("output")
    parser.add_argument("--mpi", default="openmpi", choices=("openmpi", "mpich"))
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    options.tulle = str(Path(options.tulle).resolve())
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/timeline"
        subprocess.run([f"mpicc.{options.mpi}", "-O2", "-fopenmp", str(HERE / "timeline.c"), "-o", program], check=True)
        without, with_it = measured(options, program, "--mpi", "off"), measured(options, program)
    last = max(task[2] for task in without + with_it)
    per_ms = WIDTH / last
    second = TOP + len(without) * ROW + 24
    bottom = second + len(with_it) * ROW + 4
    parts = [key(LEFT, WAITS, "waits for its message"), key(LEFT + 170, COMPUTES, "computes"),
             *rows("without", without, TOP, per_ms), *rows("with", with_it, second, per_ms), *scale(bottom, last, per_ms)]
    height = bottom + SCALE_H
    Path(options.output).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{height}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


main()
