# SPDX-License-Identifier: Apache-2.0
"""`tulle bench`: the harness gets this command's runtime and every word as it was written. A
program of ours stands in for Python, so nothing is measured."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TULLE, LIBDIR = sys.argv[1:3]


def bench(*words):
    with tempfile.TemporaryDirectory() as folder:
        python = pathlib.Path(folder) / "python3"
        python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        python.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        return subprocess.run([TULLE, "bench", *words], capture_output=True, text=True, timeout=300,
                              check=True, env={**os.environ, "PATH": path}).stdout.splitlines()


class Bench(unittest.TestCase):
    def test_runs_the_harness_on_this_runtime(self):
        script, *words = bench()
        harness = pathlib.Path(__file__).parents[2] / "bench" / "run.py"
        self.assertTrue(os.path.samefile(script, harness))
        self.assertEqual(words, ["--as-tulle-bench", "--tulle", LIBDIR])

    def test_passes_every_word_on(self):
        given = ["--only", "flat", "--threads", "2,36", "--runtimes=tulle,libomp", "--quick", "--help",
                 "--", "two words"]
        self.assertEqual(bench(*given)[4:], given)

    def test_help_speaks_of_the_command(self):
        done = subprocess.run([TULLE, "bench", "--help"], capture_output=True, text=True, timeout=300, check=True)
        self.assertIn("usage: tulle bench [options]", done.stdout)
        self.assertIn("PyPI", done.stdout)
        for word in ("run.py", "bench/", "docs/"):
            self.assertNotIn(word, done.stdout)

    def test_errors_name_the_command(self):
        done = subprocess.run([TULLE, "bench", "--only", "nothing-of-this-name"], capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^tulle bench: --only: .*\n$")


unittest.main(argv=sys.argv[:1])
