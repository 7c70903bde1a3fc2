# SPDX-License-Identifier: Apache-2.0
"""Variables and options that name a file or a folder, with one that cannot be: one line says which and why. A variable leaves
the program as it is; where an option does, the program is not run.

usage: named_files.py TULLE PROGRAM LIBDIR
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TULLE, PROGRAM, LIBDIR = sys.argv[1:4]
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_", "TMPDIR"))}
ABSENT, REASON = "/no/such/folder/file", "No such file or directory"


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.file = self.folder / "file"
        self.file.write_text("text")

    def program(self, **settings):
        """Lines on standard error."""
        done = subprocess.run([PROGRAM], env={**CLEAN, "LD_LIBRARY_PATH": LIBDIR, **settings}, capture_output=True, text=True,
                              timeout=60, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return done.stderr.splitlines()

    def command(self, *words, **settings):
        done = subprocess.run([TULLE, *map(str, words)], env={**CLEAN, **settings}, capture_output=True, text=True, timeout=60,
                              cwd=self.folder)
        self.assertEqual(done.stdout, "")
        line, = done.stderr.splitlines()
        return done.returncode, line


class Variables(Case):
    def test_records_of_tools(self):
        for name in "stats", "trace":
            variable, tool = f"TULLE_{name.upper()}", f"{LIBDIR}/libtulle-{name}.so"
            if not Path(tool).exists():
                continue
            for value, reason in (ABSENT, REASON), (str(self.file), "Not a directory"):
                with self.subTest(variable=variable, value=value):
                    line, = self.program(OMP_TOOL_LIBRARIES=tool, **{variable: value})
                    self.assertEqual(line, f'tulle: {variable}: "{value}" is not a folder that can be written to: {reason}')
            self.assertEqual(self.program(OMP_TOOL_LIBRARIES=tool, **{variable: "."}), [])
            self.assertEqual(self.program(OMP_TOOL_LIBRARIES=tool), [])

    def test_files_of_the_runtime(self):
        for variable, value, said in (("TULLE_PLACEMENT", ABSENT, f'"{ABSENT}" cannot be written: {REASON}'),
                                      ("TULLE_PLACEMENT", ".", '"." cannot be written: Is a directory'),
                                      ("OMP_TOOL_VERBOSE_INIT", ABSENT, f"cannot write to '{ABSENT}': {REASON}"),
                                      ("OMP_TOOL_LIBRARIES", ABSENT, f"{ABSENT}: cannot open shared object file: {REASON}"),
                                      ("OMP_TOOL_LIBRARIES", str(self.file), f"{self.file}: file too short"),
                                      ("TULLE_POLICY", ABSENT, REASON)):
            with self.subTest(variable=variable, value=value):
                line, = self.program(OMP_NUM_THREADS="2", **{variable: value})
                self.assertTrue(line.startswith(f"tulle: {variable}"), line)
                self.assertIn(said, line)


class Options(Case):
    def test_pages_are_refused_before_the_program_runs(self):
        mark = self.folder / "mark"
        for words in (["stats"], ["stats", "--json"], ["stats", "--html"], ["trace"], ["trace", "--svg"], ["trace", "--perfetto"],
                      ["trace", "--otf2"]):
            for output, reason in (ABSENT, REASON), (self.file / "page", "Not a directory"), (self.folder, "Is a directory"):
                if words[-1] == "--otf2" and not Path(LIBDIR, "libtulle-otf2.so").exists():
                    continue
                if words[-1] == "--otf2" and output == self.folder:
                    reason = "is there already"
                with self.subTest(words=words, output=output):
                    status, line = self.command(*words, "-o", output, "--", "touch", mark)
                    self.assertEqual(status, 125)
                    self.assertIn(str(output), line)
                    self.assertIn(reason, line)
                    self.assertFalse(mark.exists())

    def test_a_default_name_that_is_taken(self):
        for name, words in (("tulle-stats.html", ["stats", "--html"]), ("tulle-trace.html", ["trace"])):
            (self.folder / name).mkdir()
            self.assertEqual(self.command(*words, PROGRAM), (125, f"tulle: {name}: Is a directory"))

    def test_folders_of_records(self):
        for name in "stats", "trace":
            self.assertEqual(self.command(name, "--records", self.file / "inner", PROGRAM),
                             (125, f"tulle: --records: {self.file}/inner: Not a directory"))
            self.assertEqual(self.command(name, "--read", ABSENT), (125, f"tulle: {ABSENT}: {REASON}"))
            self.assertEqual(self.command(name, PROGRAM, TMPDIR=ABSENT), (125, f"tulle: TMPDIR: {ABSENT}: {REASON}"))

    def test_files_that_are_read(self):
        self.assertEqual(self.command("graph", ABSENT), (1, f"tulle: {ABSENT}: {REASON}"))
        status, line = self.command("graph", self.file)
        self.assertEqual(status, 1)
        self.assertIn(str(self.file), line)
        for command in "info", "simulate":
            status, line = self.command(command, "--topology", ABSENT)
            self.assertEqual(status, 2)
            self.assertTrue(line.startswith(f"tulle: {ABSENT}: neither a file nor"), line)
        status, line = self.command("doctor", "999999999")
        self.assertEqual(status, 1)
        self.assertIn("999999999", line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
