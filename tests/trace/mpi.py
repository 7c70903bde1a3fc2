# SPDX-License-Identifier: Apache-2.0
"""Two ranks on one axis of time.

usage: mpi.py TULLE MPI MPIRUN PROGRAM
"""
import sys
import tempfile
from pathlib import Path

import traced

TULLE, MPI, MPIRUN, PROGRAM = sys.argv[1:]
OPTIONS = ["--allow-run-as-root", "--oversubscribe"] if MPI == "openmpi" else []

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "page.html"
    done = traced.run(TULLE, "-t", "2", "-o", file, MPIRUN, *OPTIONS, "-n", "2", TULLE, "run", "--", PROGRAM)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}\n{done.stderr}")
    page = traced.Page(file)
if [name.split(",")[0] for name in page.processes] != ["rank 0", "rank 1"]:
    sys.exit(f"processes {page.processes}")
first, second = (page.spans("compute", doing="work in regions", process=rank) for rank in (0, 1))
if not first or not second or max(span["end"] for span in first) > min(span["begin"] for span in second):
    sys.exit(f"order of ranks: {first} {second}")
waits = page.spans("MPI_Bcast at main (ranks.c:", doing="waits in MPI", process=1)
if max((span["end"] - span["begin"] for span in waits), default=0) < 15e6:
    sys.exit(f"waits of rank 1: {page.spans(process=1)}")
if sum(span["end"] - span["begin"] for span in first + second) < 80e6:
    sys.exit(f"work of ranks: {first} {second}")
