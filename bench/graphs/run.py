#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Task graphs beside P-SOCRATES, section 6.3.1: `run.py TULLE RUNTIME_FOLDER [--only table,heap,time] [--rounds N]`.

table  Table 6.1: the bytes of the matrix at its ten sizes, of graphs that a program's run writes down; half of the
       paper's bytes at most.
heap   Figure 6.14: the most that the process's heap grows while a graph runs for the first time, beside libgomp's dynamic
       graph of the same program; for a graph that is built by hand at most 0.3 of it.
time   Figure 6.13: a run of a graph that was recorded, or is replayed by itself, over the best of dynamic dependences, tasks
       with taskwaits, and loops, at each of the paper's grains, by both compilers. The runs take turns; medians.
Status 1: a bound of the first two does not hold. Times have none.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import build  # noqa: E402

LIMIT_S = 300
KB = 1024
# By program and blocks an edge: Table 6.1 in KB.
PAPER = {("cholesky", 2): 0.11, ("cholesky", 4): 0.59, ("cholesky", 8): 3.80, ("cholesky", 16): 27.09,
         ("cholesky", 32): 204.19, ("paths", 4): 0.47, ("paths", 8): 1.94, ("paths", 16): 7.88, ("paths", 32): 31.75,
         ("paths", 64): 127.5}
MOST_OF_TABLE, MOST_OF_HEAP = 0.5, 0.3
GRAINS = {"cholesky": (4, 20, 120, 816, 5984), "pathfinding": (16, 64, 256, 1024, 4096)}
WAYS = ("", "_closed", "_built", "_tasks", "_loops")
BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}


def run(*words, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "KMP_", "GOMP_", "LD_"))}
    done = subprocess.run([str(word) for word in words], env=env | settings, capture_output=True, text=True,
                          check=False, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def heap_program(folder: Path) -> Path:
    program = folder / "heap"
    run("gcc", "-O2", "-fopenmp", HERE / "heap.c", "-o", program)
    return program


def table(options, folder: Path) -> bool:
    """The graph of each size as the runtime writes it down."""
    program, right = heap_program(folder), True
    print("Table 6.1            tasks  edges    paper   bytes  share")
    for (name, edge), paper in PAPER.items():
        file = folder / "graphs"
        run(program, "dynamic", name, edge, 1, LD_LIBRARY_PATH=options.runtime, TULLE_TASK_GRAPH=f"record:{file}")
        (graph,) = json.loads(run(options.tulle, "graph", "--json", file))
        share = graph["matrix_bytes"] / (paper * KB)
        right = right and share <= MOST_OF_TABLE
        print(f"{name:10} {edge:3} blocks {graph['tasks']:6} {graph['edges']:6} {paper:8.2f} {graph['matrix_bytes']:7} {share:6.2f}")
    return right


def heap(options, folder: Path) -> bool:
    """libgomp on one thread keeps all tasks until its maker is through, as on many; on two the figure is a chance."""
    program, right = heap_program(folder), True
    print("Figure 6.14, KB      libgomp  threads   built  share  recorded  share  dynamic  share")
    for name, tasks in (("cholesky", 5984), ("paths", 1024)):
        peer = int(run(program, "dynamic", name, 32, 1))
        for threads in (1, 2, 8):
            grown = {way: statistics.median(int(run(program, way, name, 32, threads, LD_LIBRARY_PATH=options.runtime))
                                            for _ in range(options.rounds)) for way in ("built", "closed", "dynamic")}
            right = right and grown["built"] <= MOST_OF_HEAP * peer
            shown = "  ".join(f"{value / KB:7.0f} {value / peer:6.2f}" for value in grown.values())
            print(f"{name:10} {tasks:5}     {peer / KB:7.0f} {threads:8} {shown}")
    return right


def sample(options, program: Path, case: str, **settings) -> float:
    line = run(program, "--case", case, "--threads", options.threads, "--samples", 3, "--target-ms", 10,
               "--budget-s", 0.4, LD_LIBRARY_PATH=options.runtime, **BOUND, **settings)
    return json.loads(line)["median"]


def medians(options, program: Path, case: str) -> dict:
    found = {}
    for _ in range(options.rounds):
        for way in WAYS:
            found.setdefault(way, []).append(sample(options, program, case + way))
        found.setdefault("auto", []).append(sample(options, program, case, TULLE_TASK_GRAPH="auto"))
    return {way: statistics.median(values) / 1000 for way, values in found.items()}


def time(options, folder: Path) -> bool:
    print(f"Figure 6.13, {options.threads} threads, µs   dynamic   tasks   loops |   auto  closed   built | closed over the best, built, auto")
    known = build.programs()
    jobs = [(compiler, name) for compiler in ("gcc", "clang") if build.available(compiler) for name in GRAINS]
    complaints = build.build_all(folder, jobs)
    for compiler, name in jobs:
        if (compiler, name) in complaints:
            print(f"{compiler} {name}: {complaints[compiler, name].splitlines()[0]}")
            continue
        program = build.path_of(folder, compiler, known[name].name)
        for tasks in GRAINS[name]:
            us = medians(options, program, f"{name}_{tasks}")
            best = min(us[""], us["_tasks"], us["_loops"])
            print(f"{compiler:5} {name:11} {tasks:5}       {us['']:9.1f} {us['_tasks']:7.1f} {us['_loops']:7.1f} | "
                  f"{us['auto']:6.1f} {us['_closed']:7.1f} {us['_built']:7.1f} | {us['_closed'] / best:6.2f} "
                  f"{us['_built'] / best:6.2f} {us['auto'] / best:6.2f}", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tulle", help="the command")
    parser.add_argument("runtime", help="the folder of libgomp.so.1")
    parser.add_argument("--only", default="table,heap,time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    right = True
    with tempfile.TemporaryDirectory() as folder:
        for part in options.only.split(","):
            right = {"table": table, "heap": heap, "time": time}[part](options, Path(folder)) and right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
