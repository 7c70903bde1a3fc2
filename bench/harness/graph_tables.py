# SPDX-License-Identifier: Apache-2.0
"""P-SOCRATES, section 6.3.1, beside the times: Table 6.1 (memory of the matrix), Figure 6.14 (heap of the process) and
Figure 6.13 (time at the paper's grains), as tables of the report."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import build, summary
from .peers import Runtime
from .rounds import CONTROL_PREFIXES, Row

LIMIT_S = 300
KB = 1024
# By program and blocks an edge: Table 6.1 in KB.
PAPER = {("cholesky", 2): 0.11, ("cholesky", 4): 0.59, ("cholesky", 8): 3.80, ("cholesky", 16): 27.09,
         ("cholesky", 32): 204.19, ("paths", 4): 0.47, ("paths", 8): 1.94, ("paths", 16): 7.88, ("paths", 32): 31.75,
         ("paths", 64): 127.5}
GROUPS = ("cholesky", "pathfinding", "graphs")  # of scenarios
HEAPS = {"cholesky": 5984, "paths": 1024}
MOST_OF_TABLE, MOST_OF_HEAP = 0.5, 0.3
# What runs with a graph that is there, and what finds one first; only the former are bound.
BOUND_WAYS, OTHER_WAYS = ("built", "file"), ("recorded", "dynamic")
GRAINS = {"cholesky": (4, 20, 120, 816, 5984), "pathfinding": (16, 64, 256, 1024, 4096)}
# Without a static graph, then with one.
WITHOUT, WITH = ("", "_tasks", "_loops"), ("_auto", "_closed", "_built")


@dataclass
class Table:
    title: str
    head: list[str]
    lines: list[list[str]]
    caption: str
    holds: bool = True  # the bounds that it has

    def text(self) -> str:
        widths = [max(len(line[i]) for line in (self.head, *self.lines)) for i in range(len(self.head))]
        return "\n".join([f"{self.title}: {self.caption}"]
                         + ["  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths))
                            for line in (self.head, *self.lines)])


def run(*words, **settings) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith((*CONTROL_PREFIXES, "LD_"))}
    done = subprocess.run([str(word) for word in words], env=env | settings, capture_output=True, text=True,
                          check=False, timeout=LIMIT_S)
    if done.returncode != 0 or done.stderr:
        raise RuntimeError(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


class Program:
    """bench/graphs/heap.c in a folder, under a runtime."""

    def __init__(self, command: Path, runtime: Path, folder: Path):
        self.command, self.runtime, self.folder = command, runtime, folder
        self.path = folder / "heap"
        run("gcc", "-O2", "-fopenmp", *build.include_options(), build.ROOT / "graphs" / "heap.c", "-o", self.path)

    def run(self, way: str, name: str, edge: int, threads: int, **settings) -> str:
        return run(self.path, way, name, edge, threads, LD_LIBRARY_PATH=str(self.runtime), **settings)

    def record(self, name: str, edge: int) -> Path:
        file = self.folder / f"{name}_{edge}.graphs"
        if not file.exists():
            self.run("dynamic", name, edge, 1, TULLE_TASK_GRAPH=f"record:{file}")
        return file

    def growth(self, way: str, name: str, edge: int, threads: int, rounds: int) -> float:
        """Of the heap, in bytes."""
        settings = {"TULLE_TASK_GRAPH": f"replay:{self.record(name, edge)}"} if way == "file" else {}
        mode = {"file": "dynamic", "recorded": "closed"}.get(way, way)
        return statistics.median(int(self.run(mode, name, edge, threads, **settings)) for _ in range(rounds))


def matrix_table(program: Program) -> Table:
    """The graph of each size as the runtime writes it down."""
    lines, right = [], True
    for (name, edge), paper in PAPER.items():
        (graph,) = json.loads(run(program.command, "graph", "--json", program.record(name, edge)))
        share = graph["matrix_bytes"] / (paper * KB)
        right = right and share <= MOST_OF_TABLE
        lines.append([name, f"{graph['tasks']}", f"{graph['edges']}", f"{paper:.2f}", f"{graph['matrix_bytes']}",
                      f"{share:.2f}"])
    return Table("Table 6.1", ["", "tasks", "edges", "paper (KB)", "matrix (bytes)", "share"], lines,
                 f"the matrix of each graph; at most {MOST_OF_TABLE} of the paper's bytes", right)


def heap_table(program: Program, rounds: int = 5) -> Table:
    """libgomp on one thread keeps all tasks until its maker is through, as on many; on two the figure is a chance."""
    lines, right, ways = [], True, (*BOUND_WAYS, *OTHER_WAYS)
    for name, tasks in HEAPS.items():
        peer = int(run(program.path, "dynamic", name, 32, 1))
        for threads in (1, 2, 8):
            grown = {way: program.growth(way, name, 32, threads, rounds) for way in ways}
            right = right and all(grown[way] <= MOST_OF_HEAP * peer for way in BOUND_WAYS)
            lines.append([f"{name}, {tasks}", f"{threads}", f"{peer / KB:.0f}"]
                         + [f"{grown[way] / KB:.0f} ({grown[way] / peer:.2f})" for way in ways])
    return Table("Figure 6.14", ["tasks", "threads", "libgomp", "by hand", "from a file", "recorded", "found anew"], lines,
                 f"KB by which the process's heap grows, and the share of libgomp's dynamic graph; at most {MOST_OF_HEAP} where "
                 "the graph is built by hand or comes from a file", right)


def memory_tables(command: Path, runtime: Path, rounds: int = 5, only: tuple[str, ...] = ("table", "heap")) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        program = Program(command, runtime, Path(folder))
        makers = {"table": matrix_table, "heap": lambda given: heap_table(given, rounds)}
        return [makers[kind](program) for kind in only]


def time_table(rows: list[Row], ours: str) -> Table | None:
    """Figure 6.13 from the rows of two threads; those of a grain in which something is missing are left out."""
    found = {(r.compiler, r.scenario.name): summary.median(r.results.get(ours)) for r in rows if r.threads == 2}
    lines = []
    for compiler in ("gcc", "clang"):
        for name, grains in GRAINS.items():
            for tasks in grains:
                us = {way: (found.get((compiler, f"{name}_{tasks}{way}")) or 0) / 1000 for way in (*WITHOUT, *WITH)}
                if not all(us.values()):
                    continue
                best = min(us[way] for way in WITHOUT)
                lines.append([compiler, f"{name}, {tasks}"] + [f"{us[way]:.0f}" for way in WITHOUT]
                             + [f"{us[way]:.0f} ({us[way] / best:.2f})" for way in WITH])
    return Table("Figure 6.13", ["built by", "tasks", "dynamic", "tasks alone", "loops", "auto", "closed", "by hand"], lines,
                 "µs of a run on two threads; in brackets over the best without a static graph: dependences found anew, tasks "
                 "with taskwaits, worksharing loops") if lines else None


def of_run(rows: list[Row], runtime: Runtime | None, quick: bool) -> list[Table]:
    """Those that a run of these rows has; what cannot be counted is said in one line."""
    if runtime is None or not any(row.scenario.group in GROUPS for row in rows):
        return []
    times = time_table(rows, runtime.name)
    tables = [times] if times else []
    # Beside the library, as in a build folder and where Tulle is installed.
    command = next((path for path in (runtime.folder.parent / "bin" / "tulle", runtime.folder.parents[1] / "bin" / "tulle")
                    if path.exists()), None)
    if command is None or quick:
        return tables
    try:
        return memory_tables(command, runtime.folder) + tables
    except (OSError, RuntimeError, ValueError) as problem:
        print(f"the memory of task graphs was not counted: {problem}", file=sys.stderr)
        return tables
