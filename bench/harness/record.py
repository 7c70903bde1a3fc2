# SPDX-License-Identifier: Apache-2.0
"""The JSON behind the report: machine, versions, settings, every sample, and the summary."""
import dataclasses
import datetime
import json
import os
import platform
from pathlib import Path

from . import graph_tables, peers, summary
from .resume import print_of
from .rounds import Row, Settings


def machine() -> dict:
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "system": platform.platform(),
            "libc": " ".join(platform.libc_ver())}


def document(rows: list[Row], runtimes: list[peers.Runtime], settings: Settings, ours: str, seconds: float,
             tables: list[graph_tables.Table]) -> dict:
    entries = [_summarised(row, ours) for row in rows]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": peers.versions(),
        "libraries": {runtime.name: print_of(runtime) for runtime in runtimes},
        "settings": {"rounds": settings.rounds, "samples": settings.samples,
                     "target_ms": settings.target_ms, "quick": settings.quick, "bind": settings.bind,
                     "statistic": summary.statistic, "rounds_again": settings.again,
                     "seconds": round(seconds)},
        "rows": [_row(row, entry) for row, entry in zip(rows, entries)],
        "summary": entries,
        "tables": [dataclasses.asdict(table) for table in tables],
    }


def _summarised(row: Row, ours: str) -> dict:
    entry = summary.summarise(row, ours)
    interval = summary.interval(row, ours)
    return entry | {"interval": interval, "significant": summary.is_settled(entry, interval)}


def _row(row: Row, summarised: dict) -> dict:
    return {
        "scenario": row.scenario.name,
        "group": row.scenario.group,
        "compiler": row.compiler,
        "threads": row.threads,
        "bound": summary.bounds_of(row)[0],
        "most_ns": summary.bounds_of(row)[1],
        "interval": summarised["interval"],
        "significant": summarised["significant"],
        "measured_again": row.again,
        "results": {
            name: {"median": summary.median(m), "spread": summary.spread(m), "runs": m.runs,
                   "processes": summary.of_processes(m), "cpus": m.cpus,
                   "disturbed": m.disturbed,
                   "failure": m.failure, "samples": m.samples, "samples_of_runs": m.turns, "detail": m.detail}
            for name, m in row.results.items()
        },
    }


def write(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")
