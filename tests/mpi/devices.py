#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks of mpirun as devices of the first one's program.

usage: devices.py MPI MPIRUN TULLE PROGRAM MPI_PROGRAM STARTING OFFLOAD_FOLDER
PROGRAM is device_ranks, MPI_PROGRAM one that uses MPI itself, STARTING device_started, OFFLOAD_FOLDER has the programs of
tests/offload.
"""
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

MPI, MPIRUN, TULLE, PROGRAM, MPI_PROGRAM, STARTING = sys.argv[1:7]
OFFLOAD = Path(sys.argv[7])
LIMIT_S = 60
ATTEMPTS = 2  # once in some hundred runs on a busy machine mpirun stands still at its end; docs/offload.md says more
SAME = ("maps", "data", "structures", "tasks", "regions", "routines", "clauses", "classes", "lambdas", "arrays", "priorities",
        "interrupt 3")  # rounds, each of which is many messages


def run(*words, ranks=3, **settings):
    options = {"openmpi": ["--allow-run-as-root", "--bind-to", "none", "--oversubscribe"], "mpich": []}[MPI]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_", "KMP_", "GOMP_"))}
    for _ in range(ATTEMPTS):
        done = subprocess.run(["timeout", "-k", "5", str(LIMIT_S), MPIRUN, *options, "-n", str(ranks), TULLE, "run", "--",
                               *words], text=True, capture_output=True, env={**inherited, **settings})
        if done.returncode not in (124, 137):
            break
    return done


class Devices(unittest.TestCase):
    def expect(self, done, lines, *said, status=0):
        self.assertEqual(done.stdout.splitlines(), lines, done.stderr)
        self.assertEqual(done.returncode, status, done.stderr)
        told = [line for line in done.stderr.splitlines() if line.startswith("tulle")]
        self.assertEqual(len(told), len(said), done.stderr)
        for line, words in zip(told, said):
            self.assertIn(words, line)

    def test_ranks(self):
        for threads in "1", "2", "8":
            self.expect(run(PROGRAM, TULLE_DEVICES="mpi", OMP_NUM_THREADS=threads),
                        ["2 devices", "0: elsewhere, device 0, right", "1: elsewhere, device 1, right", "at once: right"])

    def test_some_of_them_beside_another_kind(self):
        self.expect(run(PROGRAM, TULLE_DEVICES="mpi:1;process:1"),
                    ["2 devices", "0: elsewhere, device 0, right", "1: elsewhere, device 1, right", "at once: right"])

    def test_more_than_there_are(self):
        none = ["0 devices", "at once: right"]
        self.expect(run(PROGRAM, TULLE_DEVICES="mpi:3"), none, "more devices than mpirun has started ranks")
        self.expect(run(PROGRAM, ranks=1, TULLE_DEVICES="mpi"), none, "with several ranks")

    def test_a_program_of_mpi(self):
        done = run(MPI_PROGRAM, ranks=2, TULLE_DEVICES="mpi", OMP_NUM_THREADS="2")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_started_by_a_program_of_mpi(self):
        for ranks in 1, 2:
            done = run(STARTING, ranks=ranks, TULLE_DEVICES="mpi:2", OMP_NUM_THREADS="2")
            if MPI == "mpich" and "cannot start processes" in done.stderr:  # over UCX until 4.1
                self.expect(done, ["0 devices each, right"], *["device 0: this MPI cannot start processes"] * ranks)
            else:
                self.expect(done, ["2 devices each, right"])

    def test_not_started(self):
        none = "0 devices each, right"
        self.expect(run(STARTING, ranks=1, TULLE_DEVICES="mpi"), [none], "has to say how many")
        self.expect(run(STARTING, "early", ranks=1, TULLE_DEVICES="mpi:1"), ["0 devices", none],
                    "before it has initialised MPI")
        self.expect(run(STARTING, ranks=1, TULLE_DEVICES="mpi:2", TULLE_MPI="off"), [none], "MPI_THREAD_MULTIPLE")

    def test_as_on_other_devices(self):
        for name in SAME:
            name, *arguments = name.split()
            program = OFFLOAD / name
            if not program.exists():
                continue
            for threads in "2", "8":
                done = run(program, *arguments, ranks=2, TULLE_DEVICES="mpi", OMP_NUM_THREADS=threads,
                           OMP_MAX_TASK_PRIORITY="9")
                self.assertEqual(done.returncode, 0, f"{name}, {threads} threads: {done.stdout}{done.stderr}")

    def test_a_rank_that_dies(self):
        begin = time.monotonic()
        run(PROGRAM, "die", TULLE_DEVICES="mpi")  # what becomes of the others, mpirun decides
        self.assertLess(time.monotonic() - begin, ATTEMPTS * LIMIT_S - 5)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"^{PROGRAM}"], capture_output=True).stdout, b"")

    def test_a_program_that_never_leaves_mpi(self):
        begin = time.monotonic()
        run(STARTING, "exit", ranks=1, TULLE_DEVICES="mpi:2")
        self.assertLess(time.monotonic() - begin, ATTEMPTS * LIMIT_S - 5)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"^{STARTING}"], capture_output=True).stdout, b"")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
