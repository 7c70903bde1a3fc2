#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Code that comes after the devices: a cluster has it; of what a process lacks one line is said, once, and the host runs it.

usage: late.py RUNTIME_DIR SOURCE COMPILER [FLAG...]
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNTIME, SOURCE, *COMPILER = sys.argv[1:]
CPU = min(os.sched_getaffinity(0))
LACKS = "does not have the function"


class Late(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program, cls.library = Path(folder.name) / "late", Path(folder.name) / "liblate.so"
        for flags, target in ((["-ldl"], cls.program), (["-DLIBRARY", "-shared", "-fPIC"], cls.library)):
            subprocess.run([*COMPILER, "-w", "-O1", "-fopenmp", SOURCE, *flags, "-o", str(target)], check=True, timeout=120)

    def run_on(self, devices, **settings):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "KMP_", "GOMP_"))}
        environment = {**inherited, **settings, "LD_LIBRARY_PATH": RUNTIME, "TULLE_DEVICES": devices}
        return subprocess.run([str(self.program), str(self.library)], env=environment, capture_output=True, text=True,
                              timeout=60)

    def expect(self, done, lines, *said, status=0):
        self.assertEqual(done.stdout.splitlines(), lines, done.stderr)
        told = done.stderr.splitlines()
        self.assertEqual(len(told), len(said), done.stderr)
        for line, words in zip(told, said):
            self.assertIn(words, line)
        self.assertEqual(done.returncode, status, done.stderr)

    def test_cluster(self):
        self.expect(self.run_on(f"cluster:{CPU}"), ["program device", *["library device"] * 2, "program device"])

    def test_process(self):
        self.expect(self.run_on("process:1"), ["program device", *["library host"] * 2, "program device"], LACKS)

    def test_mandatory(self):
        self.expect(self.run_on("process:1", OMP_TARGET_OFFLOAD="mandatory"), ["program device"], LACKS, status=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
