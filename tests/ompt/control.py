# SPDX-License-Identifier: Apache-2.0
"""Commands of the program reach its tools; and what OMP_TOOL, OMP_TOOL_LIBRARIES and OMP_TOOL_VERBOSE_INIT do, bad values
with one line each.

usage: control.py PROGRAM CHECKER COUNTER
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, CHECKER, COUNTER = sys.argv[1:4]
# What the checker answers: ten times the command, and the modifier.
ANSWERED = "12 23 34 45 640 41 30"
NO_TOOL, NO_CALLBACK = "-2 -2 -2 -2 -2 -4 -2", "-1 -1 -1 -1 -1 -2 -1"
LOG = "tulle: tools: "


def run(**settings):
    done = subprocess.run([PROGRAM], env=dict(os.environ, **settings), capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"{settings}: {done}")
    return done.stdout.splitlines(), done.stderr.splitlines()


class Commands(unittest.TestCase):
    def test_answers(self):
        for tools, answers in (("", NO_TOOL), (COUNTER, NO_CALLBACK), (CHECKER, ANSWERED),
                               (f"{COUNTER}:{CHECKER}", ANSWERED), (f"{CHECKER}:{COUNTER}", ANSWERED)):
            out, err = run(OMP_TOOL_LIBRARIES=tools)
            self.assertIn(answers, out, tools)
            self.assertEqual(err, [], tools)
            if "checker" in tools:
                self.assertIn("ompt: control 8", out)
                self.assertIn("ompt: wrong 0", out)


class Settings(unittest.TestCase):
    def test_tool(self):
        for value, answers in (("disabled", NO_TOOL), ("Enabled", ANSWERED)):
            out, err = run(OMP_TOOL=value, OMP_TOOL_LIBRARIES=CHECKER)
            self.assertIn(answers, out)
            self.assertEqual(err, [])
        for value in "maybe", "":
            out, err = run(OMP_TOOL=value, OMP_TOOL_LIBRARIES=CHECKER)
            self.assertIn(ANSWERED, out)
            self.assertEqual(err, [f'tulle: OMP_TOOL="{value}" is not valid (accepted: ENABLED | DISABLED); using "ENABLED"'])

    def test_libraries(self):
        libm = "libm.so.6"
        out, err = run(OMP_TOOL_LIBRARIES=f":/no/such/tool.so:{libm}:{CHECKER}:", OMP_TOOL_VERBOSE_INIT="StdErr")
        self.assertIn(ANSWERED, out)
        self.assertEqual(len(err), 4, err)
        for line, words in zip(err, ("/no/such/tool.so: ", f"{libm}: has no ompt_start_tool", f"{CHECKER}: found",
                                     f"{CHECKER}: registered")):
            self.assertTrue(line.startswith(LOG + words), err)
        for name, problem in (("/no/such/tool.so", ": cannot open shared object file: No such file or directory"),
                              (libm, ": has no ompt_start_tool")):
            self.assertEqual(run(OMP_TOOL_LIBRARIES=name), ([NO_TOOL], [f"tulle: OMP_TOOL_LIBRARIES: {name}{problem}"]))
        out, err = run(OMP_TOOL_LIBRARIES=":".join([COUNTER] * 5))
        self.assertEqual(err, [f"tulle: only 4 tools can be used at once: '{COUNTER}' is not"])

    def test_log(self):
        self.assertEqual(run(OMP_TOOL_VERBOSE_INIT="stderr"), ([NO_TOOL], [LOG + "none is used"]))
        self.assertEqual(run(OMP_TOOL_VERBOSE_INIT="stdout"), ([LOG + "none is used", NO_TOOL], []))
        self.assertEqual(run(OMP_TOOL_VERBOSE_INIT="disabled"), ([NO_TOOL], []))
        out, err = run(OMP_TOOL="disabled", OMP_TOOL_LIBRARIES=CHECKER, OMP_TOOL_VERBOSE_INIT="stderr")
        self.assertEqual((out, err), ([NO_TOOL], [LOG + "OMP_TOOL=disabled", LOG + "none is used"]))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "log"
            out, err = run(OMP_TOOL_LIBRARIES=CHECKER, OMP_TOOL_VERBOSE_INIT=str(file))
            self.assertEqual(err, [])
            self.assertEqual(file.read_text().splitlines(), [f"{LOG}{CHECKER}: found", f"{LOG}{CHECKER}: registered"])
        for bad in "/no/such/folder/log", "":
            out, err = run(OMP_TOOL_LIBRARIES=CHECKER, OMP_TOOL_VERBOSE_INIT=bad)
            self.assertIn(ANSWERED, out)
            self.assertEqual(err, [f"tulle: OMP_TOOL_VERBOSE_INIT: cannot write to '{bad}': No such file or directory"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
