# SPDX-License-Identifier: Apache-2.0
"""Ranks that wait in MPI, and where: both ranks on one page.

usage: mpi.py TULLE MPI MPIRUN PROGRAM
"""
import sys

from stats import is_so, stats

TULLE, MPI, MPIRUN, PROGRAM = sys.argv[1:]
OPTIONS = ["--allow-run-as-root", "--oversubscribe"] if MPI == "openmpi" else []


def wrong():
    told, done = stats(TULLE, MPIRUN, *OPTIONS, "-n", "2", TULLE, "run", "--", PROGRAM)
    ranks = [process["rank"] for process in told["processes"]]
    if done.returncode != 0 or ranks != [0, 1]:
        return f"ranks {ranks}\n{done.stderr}"
    if sum(one["times"] for one in told["processes"][0]["mpi"] if one["call"] == "MPI_Recv") != 20:
        return f"calls {told['processes'][0]['mpi']}"
    advice = told["advice"]
    if not advice or advice[0]["fault"] != "mpi":
        return f"advice {advice}"
    text = advice[0]["text"]
    return None if "Rank 0" in text and "MPI_Recv" in text and "mpi_wait.c:" in text else text


problem = is_so(wrong)
if problem is not None:
    sys.exit(problem)
