# SPDX-License-Identifier: Apache-2.0
"""`tulle run` looks at the program's file first, and with -v says afterwards which runtime served.
usage: looks.py TULLE LIBDIR BUNDLED_PROGRAM BUNDLED_RUNTIME"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TULLE, LIBDIR, BUNDLED, BUNDLED_RUNTIME = sys.argv[1:5]
SOURCE = """
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
  members++;
  printf("%d %s\\n", members, getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
  return 0;
}
"""


def run(*words, **environment):
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_", "ASAN_"))}
    return subprocess.run([TULLE, "run", *map(str, words)], capture_output=True, text=True, timeout=300,
                          check=False, env={**inherited, **environment})


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def build(self, *options, compiler="gcc"):
        if shutil.which(compiler) is None:
            self.skipTest(f"no {compiler}")
        program = self.folder / "program"
        done = subprocess.run([compiler, "-x", "c", "-", "-o", program, *options], input=SOURCE, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest(done.stderr)
        return program

    def expect(self, done, said, status=0):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, rf"^tulle: [^\n]*{said}[^\n]*\n$")


class Looks(Case):
    def test_nothing_to_say(self):
        done = run(self.build("-fopenmp"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run("sh", "-c", "true").stderr, "")

    def test_static(self):
        self.expect(run(self.build("-fopenmp", "-static")), "linked statically")

    def test_address_sanitizer(self):
        done = run(self.build("-fopenmp", "-fsanitize=address"), ASAN_OPTIONS="detect_leaks=0")
        self.expect(done, "libasan.so")
        self.assertRegex(done.stdout, rf"^3 libasan.so.\d+ {LIBDIR}/libgomp.so.1\n$")

    def test_musl(self):
        done = run(self.build(compiler="musl-gcc"))
        self.expect(done, "musl")
        self.assertEqual(done.stdout, "1 none\n")

    def test_another_machine(self):
        program = self.build()
        image = bytearray(program.read_bytes())
        image[18:20] = (183).to_bytes(2, "little")  # e_machine: EM_AARCH64
        program.write_bytes(image)
        done = run(program)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr.splitlines()[0], "^tulle: .*aarch64")

    def test_more_rights(self):
        if os.getuid() != 0:
            self.skipTest("for root")
        program = self.build("-fopenmp")
        self.folder.chmod(0o755)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        done = run(program)
        self.expect(done, "more rights")
        self.assertIn("3 ", done.stdout)

    def test_interpreter_of_a_script(self):
        program = self.build("-fopenmp", "-static")
        script = self.folder / "script"
        script.write_text(f"#!{program}\n")
        script.chmod(0o755)
        self.expect(run(script), f"{program}, which runs {script}, is linked statically")
        script.write_text("#!/usr/bin/env -S A=b program -x\n")
        self.expect(run(script, PATH=f"{self.folder}:{os.environ['PATH']}"), "linked statically")

    def test_what_is_no_program(self):
        for content in b"", b"\x7fELF", b"\x7fELF" + bytes(60), b"#!\n", b"#!/none\n", b"words\n":
            file = self.folder / "file"
            file.write_bytes(content)
            file.chmod(0o755)
            done = run(file)
            self.assertIn(done.returncode, (0, 2, 126, 127), content)  # the first two: of a shell that reads it
            self.assertNotIn("which runs", done.stderr)


class Served(Case):
    def said(self, *words, **environment):
        done = run("-v", *words, **environment)
        lines = [line for line in done.stderr.splitlines() if line.startswith("tulle: ")]
        return done, "\n".join(lines)

    def test_what_ran_on_tulle(self):
        program = self.build("-fopenmp")
        done, said = self.said(program)
        self.assertEqual((done.returncode, said), (0, "tulle: program ran on Tulle"))
        self.assertEqual(self.said("sh", "-c", f"{program}; {program}")[1], "tulle: program ran on Tulle, 2 processes")
        self.assertEqual(self.said(BUNDLED)[1].splitlines()[0], f"tulle: {os.path.basename(BUNDLED)} ran on Tulle")

    def test_what_did_not(self):
        self.assertEqual(self.said("true")[1], "tulle: true called no OpenMP runtime")
        sleeper = f"import ctypes, time; ctypes.CDLL({BUNDLED_RUNTIME!r}); time.sleep(0.5)"
        self.assertEqual(self.said(sys.executable, "-c", sleeper)[1],
                         f"tulle: {BUNDLED_RUNTIME} was loaded, and nothing called Tulle")

    def test_what_went_round_it(self):
        caller = (f"import ctypes, os, time; ctypes.CDLL({BUNDLED_RUNTIME!r}, os.RTLD_NOW | os.RTLD_DEEPBIND)"
                  ".omp_get_num_threads(); time.sleep(0.5)")
        self.assertEqual(self.said(sys.executable, "-c", caller)[1],
                         f"tulle: {BUNDLED_RUNTIME} was loaded, and nothing called Tulle")

    def test_exit_status_is_the_programs(self):
        self.assertEqual(self.said("sh", "-c", "exit 7")[0].returncode, 7)
        self.assertEqual(self.said("sh", "-c", "kill -9 $$")[0].returncode, -9)
        self.assertEqual(self.said("no-such-program")[0].returncode, 127)

    def test_a_signal_reaches_the_program(self):
        with subprocess.Popen([TULLE, "run", "-v", "sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            child.terminate()
            self.assertEqual(child.wait(timeout=60), 5)


unittest.main(argv=sys.argv[:1])
