#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reverse offload is refused by one line, as far as the compiler goes: by the compiler, or at run time.

usage: reverse.py RUNTIME_DIR SOURCE COMPILER [FLAG...]
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNTIME, SOURCE, *COMPILER = sys.argv[1:]
IS_CLANG = "clang" in Path(COMPILER[0]).name
CPU = min(os.sched_getaffinity(0))
LINE = "a region inside of one asks for the host"


class Reverse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "reverse"

    def build(self, *flags):
        return subprocess.run([*COMPILER, "-w", "-O1", "-fopenmp", *flags, SOURCE, "-o", str(self.program)], capture_output=True,
                              text=True, timeout=120)

    def run_on(self, devices):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "KMP_", "GOMP_"))}
        return subprocess.run([str(self.program)], env={**inherited, "LD_LIBRARY_PATH": RUNTIME, "TULLE_DEVICES": devices},
                              capture_output=True, text=True, timeout=60)

    def expect_refused(self):
        on_cluster = self.run_on(f"cluster:{CPU}")
        self.assertEqual(on_cluster.stdout, "")
        self.assertEqual(len(on_cluster.stderr.splitlines()), 1, on_cluster.stderr)
        self.assertIn(LINE, on_cluster.stderr)
        self.assertEqual(on_cluster.returncode, 1)
        on_process = self.run_on("process:1")  # it ends, and the host runs the whole region
        self.assertEqual(on_process.stdout, "after it, here\n", on_process.stderr)
        self.assertIn(LINE, on_process.stderr.splitlines()[0])
        self.assertEqual(on_process.returncode, 0)

    def test_by_the_clause(self):
        built = self.build("-DBY_CLAUSE")
        if built.returncode != 0:
            self.assertIn("reverse_offload", built.stderr)
        else:
            self.expect_refused()

    @unittest.skipIf(IS_CLANG, "these are GCC's entries")
    def test_by_the_entry(self):
        built = self.build()
        self.assertEqual(built.returncode, 0, built.stderr)
        self.expect_refused()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
