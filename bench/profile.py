#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time goes in the rows of the last run in which Tulle is furthest behind.

Samples each row's program with perf (by the clock, so that no hardware counter is needed), prints the
functions that take most, and draws them into one picture. `profile.py [--rows N] [--only NAMES]
[--build DIR] [--tulle DIR] [--svg FILE]`.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import venv  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SHARES = re.compile(r"^\s*(\d+\.\d+)%\s+(\S+)\s+\[(.)\]\s+(.+?)(?:\s{2,}.*)?$")
SHOWN = 8


def measured_rows(folder: Path) -> dict:
    path = folder / "results.json"
    if not path.exists():
        sys.exit(f"profile.py: no {path}: bench/run.py comes first")
    return json.loads(path.read_text())


def worst_rows(document: dict, count: int, only: list[str]) -> list[dict]:
    measured = [row for row in document["summary"] if row["ratio"] is not None]
    if only:
        return [row for row in measured if row["scenario"] in only]
    return sorted(measured, key=lambda row: -row["ratio"])[:count]


def profile(row: dict, build: Path, tulle: Path) -> list[tuple[float, str]]:
    """(share in per cent, function), largest first."""
    from harness import build as building
    from harness import scenarios

    scenario = scenarios.select([row["scenario"]])[0]
    program = building.path_of(build, row["compiler"], scenario.program)
    data = build / "report" / "perf.data"
    env = {**os.environ, "LD_LIBRARY_PATH": str(tulle), "OMP_NUM_THREADS": str(row["threads"]),
           **dict(scenario.controls)}
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "1999", "-o", str(data), "--",
                    str(program), *scenario.arguments, "--threads", str(row["threads"]),
                    "--samples", "20"], env=env, stdout=subprocess.DEVNULL, check=True, timeout=120)
    text = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "-q", "--sort", "dso,symbol"],
                          capture_output=True, text=True, check=True).stdout
    data.unlink()
    found = [SHARES.match(line) for line in text.splitlines()]
    return [(float(m[1]), f"{m[4]}  ({'kernel' if m[3] == 'k' else m[2]})") for m in found if m]


def draw(profiles: list[tuple[str, list[tuple[float, str]]]], path: Path) -> None:
    from harness import plots

    figure, axes = plots.plt.subplots(len(profiles), 1, figsize=(8, 2.3 * len(profiles)), squeeze=False)
    for axis, (title, shares) in zip(axes[:, 0], profiles):
        shown = shares[:SHOWN]
        axis.barh([name[:70] for _, name in shown], [share for share, _ in shown], color=plots.OURS[0])
        axis.invert_yaxis()
        axis.set_title(title, loc="left", fontsize=9)
        axis.set_xlabel("% of samples")
        axis.tick_params(axis="y", labelsize=7)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--tulle", type=Path)
    parser.add_argument("--svg", type=Path, default=ROOT / "docs" / "bench" / "profile.svg")
    options = parser.parse_args()
    options.build = options.build.resolve()
    venv.enter(options.build)
    if not shutil.which("perf"):
        sys.exit("profile.py: perf is not installed")
    tulle = (options.tulle or options.build / "release" / "lib").resolve()
    document = measured_rows(options.build / "report")
    rows = worst_rows(document, options.rows, [n for n in options.only.split(",") if n])
    if not rows:
        sys.exit("profile.py: the last run has no such row with a ratio")
    profiles = []
    for row in rows:
        title = (f"{row['scenario']}, built by {row['compiler']}, {row['threads']} threads: "
                 f"{row['ratio']:.2f} of the best peer")
        shares = profile(row, options.build, tulle)
        profiles.append((title, shares))
        print(title, *(f"  {share:6.2f} %  {name}" for share, name in shares[:SHOWN]), sep="\n")
    draw(profiles, options.svg)
    print(f"picture: {options.svg}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
