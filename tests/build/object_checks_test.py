# SPDX-License-Identifier: Apache-2.0
"""The checks of the object files find what they are there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESTS, COMPILER = sys.argv[1:3]


class ObjectChecks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def archive(self, **sources):
        """An archive of one object file for each source, which says nothing but calls."""
        objects = []
        for name, text in sources.items():
            file = self.root / f"{name}.cpp"
            file.write_text("#define TULLE_MAY_SUSPEND\nnamespace tulle {\n" + text + "\n}\n")
            objects.append(self.root / f"{name}.cpp.o")
            subprocess.run([COMPILER, "-O1", "-c", file, "-o", objects[-1]], check=True)
        made = self.root / "libmade.a"
        subprocess.run(["ar", "rc", made, *objects], check=True)
        return made

    def run_check(self, check, *arguments):
        done = subprocess.run([sys.executable, f"{TESTS}/{check}", *map(str, arguments)], capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def circles(self, most):
        made = self.archive(a="void b(); void a() { b(); b(); }", b="void c(); void b() { c(); c(); }",
                            c="void a(); void c() { a(); a(); }", d="void a(); void d() { a(); a(); }")
        return self.run_check("check_circles.py", f"{made}:{most}")

    def test_a_circle_that_is_too_large(self):
        status, out = self.circles(2)
        self.assertEqual(status, 1)
        self.assertIn("3 modules call each other", out)
        self.assertIn("a calls b", out)
        self.assertNotIn("d calls", out)

    def test_a_circle_that_may_be(self):
        status, out = self.circles(3)
        self.assertEqual(status, 0, out)

    def suspensions(self, mark):
        made = self.archive(suspend="TULLE_MAY_SUSPEND void suspend(int) { asm volatile(\"\"); }",
                            wait="void suspend(int);\n" + mark + "void wait_for_it() { suspend(1); suspend(2); }",
                            other="void other() { asm volatile(\"\"); }")
        return self.run_check("check_suspensions.py", self.root, made)

    def test_who_suspends_and_does_not_say_so(self):
        status, out = self.suspensions("")
        self.assertEqual(status, 1)
        self.assertIn("wait_for_it may suspend", out)
        self.assertNotIn("other may", out)

    def test_who_says_so(self):
        status, out = self.suspensions("TULLE_MAY_SUSPEND ")
        self.assertEqual(status, 0, out)


unittest.main(argv=sys.argv[:1])
