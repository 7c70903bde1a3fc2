# SPDX-License-Identifier: Apache-2.0
"""Every variable of docs/environment.md with values that nobody means: the program runs on as without it, and one clear
line says which variable it was, what was given, what is accepted and what is used instead; no value ends it, and none is
reported twice.

usage: odd_values.py PROGRAM LIBDIR ENVIRONMENT_PAGE
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, LIBDIR, PAGE = sys.argv[1:4]
# Whose values are any text, a file's name, or words of which unknown ones are left alone.
FREE = {"OMP_AFFINITY_FORMAT", "OMP_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT", "TULLE_PLACEMENT", "GOMP_DEBUG"}
NEVER_VALID = ("banana", "tru", "-7", "1x", "1,,2", "99999999999999999999999", "{", "\x01\x7f", "é", "0x", "%n%n%n",
               "a" * 5000)
LINE = re.compile(r'tulle: (\w+)="(.*)" is not valid \(accepted: (.+)\); using "(.*)"', re.DOTALL)


def variables():
    with open(PAGE, encoding="utf-8") as page:
        return re.findall(r"^\| `([A-Z_]+)` \|", page.read().split("## What is read")[1], re.MULTILINE)


def run(**given):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_"))}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([PROGRAM], env={**kept, "LD_LIBRARY_PATH": LIBDIR, **given}, cwd=folder, timeout=60,
                              capture_output=True, text=True, errors="replace")


class OddValues(unittest.TestCase):
    def test_each_variable_by_itself(self):
        names = variables()
        self.assertGreater(len(names), 40)
        for name in names:
            for value in NEVER_VALID:
                if name in FREE:
                    continue
                with self.subTest(variable=name, value=value[:30]):
                    done = run(**{name: value})
                    self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                    said = LINE.fullmatch(done.stderr.rstrip("\n"))
                    self.assertIsNotNone(said, done.stderr)
                    self.assertEqual(said[1], name)
                    self.assertTrue(value.startswith(said[2]) or not value.isprintable(), said[2])

    def test_any_value_leaves_the_program_alone(self):
        for name in variables():
            for value in ("", " ", "0", ",", "=", "/no/such/file", "18446744073709551615"):
                with self.subTest(variable=name, value=value):
                    done = run(**{name: value})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertLessEqual(len([line for line in done.stderr.splitlines() if line.startswith("tulle: ")]), 1,
                                         done.stderr)

    def test_all_at_once(self):
        names = [name for name in variables() if name not in FREE]
        done = run(**dict.fromkeys(names, "banana"))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [LINE.fullmatch(line)[1] for line in done.stderr.splitlines()]
        self.assertEqual(sorted(said), sorted(names))
        silent = run(KMP_WARNINGS="0", **dict.fromkeys((name for name in names if name != "KMP_WARNINGS"), "banana"))
        self.assertEqual((silent.returncode, silent.stderr), (0, ""))

    def test_a_misspelt_one(self):
        done = run(TULLE_BLOCKTME="1ms")
        self.assertEqual((done.returncode, done.stderr), (0, "tulle: TULLE_BLOCKTME is not known; TULLE_BLOCKTIME is\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
