# SPDX-License-Identifier: Apache-2.0
"""The check of headers finds what it is there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = sys.argv[1]


class Headers(unittest.TestCase):
    def check(self, files):
        """Of a header that declares a function of each file, and one inline."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "src" / "sched"
            folder.mkdir(parents=True)
            (folder / "all.h").write_text("inline int of_none() {\n  return 1;\n}\n" + "".join(
                f"// Of {i}.\nvoid offer_{i}(int a,\n             int b);\n" for i in range(files)))
            for i in range(files):
                (folder / f"file_{i}.cpp").write_text(f"void offer_{i}(int a, int b) {{\n  offer_0(a, b);\n}}\n")
            done = subprocess.run([sys.executable, CHECK, scratch], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_of_three(self):
        self.assertEqual(self.check(3), (0, ""))

    def test_of_four(self):
        status, out = self.check(4)
        self.assertEqual(status, 1)
        self.assertIn("src/sched/all.h declares functions of 4 files: file_0.cpp,", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
