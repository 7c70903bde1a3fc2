# SPDX-License-Identifier: Apache-2.0
"""The check of locks finds what it is there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, CLANG = sys.argv[1:3]
HEAD = """#include "sync/spinlock.h"
namespace tulle::sched {
sync::Spinlock lock;
int count TULLE_GUARDED_BY(lock);
void add_locked() TULLE_UNDER(lock) { ++count; }
"""


class Locks(unittest.TestCase):
    def check(self, body):
        """Of a tree that has the headers of this one, and one source."""
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            source = root / "src"
            (source / "sched").mkdir(parents=True)
            for layer in ("arch", "base", "os", "sync"):
                (source / layer).symlink_to(pathlib.Path(ROOT) / "src" / layer)
            (source / "sched" / "made.cpp").write_text(HEAD + body + "\n}\n")
            done = subprocess.run([sys.executable, f"{ROOT}/tests/check_locks.py", root, CLANG],
                                  capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_under_the_lock(self):
        status, out = self.check("void add() { sync::Guard guard(lock); add_locked(); ++count; }")
        self.assertEqual(status, 0, out)

    def test_a_variable_without_its_lock(self):
        status, out = self.check("int read() { return count; }")
        self.assertEqual(status, 1)
        self.assertIn("reading variable 'count' requires holding lock 'lock'", out)

    def test_a_function_without_its_lock(self):
        status, out = self.check("void add() { add_locked(); }")
        self.assertEqual(status, 1)
        self.assertIn("calling function 'add_locked' requires holding lock 'lock'", out)

    def test_a_lock_that_stays_held(self):
        status, out = self.check("bool add() { if (!lock.try_lock()) return false; ++count; return true; }")
        self.assertEqual(status, 1)
        self.assertIn("lock 'lock' is not held on every path", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
