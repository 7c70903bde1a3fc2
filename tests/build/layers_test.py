# SPDX-License-Identifier: Apache-2.0
"""The check of the layers finds what it is there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = sys.argv[1]


class Layers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for path in ("src/base/list.h", "src/omp/thread/team.h", "src/abi/gomp/entry.h",
                     "src/abi/kmp/entry.h", "src/os/linux/os/futex.h", "include/tulle/tulle.h"):
            self.write(path, "")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, path, text):
        self.write(path, text)
        done = subprocess.run([sys.executable, CHECK, self.root], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout

    def test_lower_own_and_public_are_fine(self):
        status, out = self.check("src/omp/thread/teams.cpp", '#include "omp/thread/team.h"\n#include "team.h"\n'
                                 '#include "base/list.h"\n#include "os/futex.h"\n'
                                 '#include "tulle/tulle.h"\n#include <stdio.h>\n')
        self.assertEqual(status, 0, out)

    def test_upward(self):
        status, out = self.check("src/base/list.cpp", '#  include "omp/thread/team.h"\n')
        self.assertEqual(status, 1)
        self.assertIn('layer base includes "omp/thread/team.h" of omp/thread', out)

    def test_upward_by_a_relative_path(self):
        self.assertEqual(self.check("src/base/list.cpp", '#include "../omp/thread/team.h"\n')[0], 1)

    def test_a_room_above(self):
        self.write("src/omp/region/parallel.h", "")
        status, out = self.check("src/omp/task/task.cpp", '#include "omp/region/parallel.h"\n')
        self.assertEqual(status, 1)
        self.assertIn('layer omp/task includes "omp/region/parallel.h" of omp/region', out)

    def test_sideways(self):
        self.assertEqual(self.check("src/abi/kmp/call.cpp", '#include "abi/gomp/entry.h"\n')[0], 1)

    def test_naming_a_platform(self):
        status, out = self.check("src/omp/region/cached_teams.cpp", '#include "os/linux/os/futex.h"\n')
        self.assertEqual(status, 1)
        self.assertIn("names a platform", out)

    def test_what_is_not_there(self):
        self.assertEqual(self.check("src/omp/thread/teams.cpp", '#include "omp/nothing.h"\n')[0], 1)

    def test_outside_of_the_layers(self):
        self.assertEqual(self.check("src/utils/strings.cpp", "")[0], 1)


unittest.main(argv=sys.argv[:1])
