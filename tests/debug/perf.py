# SPDX-License-Identifier: Apache-2.0
"""perf's call chains of what members and tasks compute are whole: they lead through the program's region to main, or to
where the stack of a user-level thread begins.

usage: perf.py PERF RUNTIME_DIR PROGRAM
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PERF, RUNTIME, PROGRAM = sys.argv[1:4]
WANTED = 60  # samples, of which the first half of a second on a free machine has more
ROOTS = ("< main", "< tulle_context_start")


def record(file, **settings):
    env = dict(os.environ, LD_LIBRARY_PATH=RUNTIME, DEBUGINFOD_URLS="", **settings)
    return subprocess.run([PERF, "record", "-e", "cpu-clock:u", "-F", "500", "--call-graph", "dwarf,16384", "-o", file, PROGRAM],
                          env=env, capture_output=True, text=True, timeout=120, check=False)


def chains(file):
    """Of each sample the functions, innermost first."""
    said = subprocess.run([PERF, "script", "-i", file, "-F", "ip,sym"], capture_output=True, text=True, timeout=300, check=True,
                          env=dict(os.environ, DEBUGINFOD_URLS="")).stdout
    return [re.findall(r"^\s*[0-9a-f]+ (.*)$", sample, re.M) for sample in said.split("\n\n") if sample.strip()]


class Chains(unittest.TestCase):
    def look(self, **settings):
        with tempfile.TemporaryDirectory() as folder:
            done = record(f"{folder}/perf.data", **settings)
            if done.returncode != 0:
                self.skipTest(f"perf may not record: {done.stderr.strip().splitlines()[-1:]}")
            found = [chain for chain in chains(f"{folder}/perf.data") if chain and chain[0] == "compute"]
        self.assertGreater(len(found), WANTED)
        text = [" < ".join(chain) for chain in found]
        # A sample at the very begin or end of a function may lack its caller.
        whole = [chain for chain in text if re.search(r"_omp_fn|omp_outlined", chain) and any(root in chain for root in ROOTS)]
        self.assertGreaterEqual(len(whole), 0.97 * len(text), "\n".join(set(text) - set(whole)))
        for place in ("in_member", "in_task", "nested"):
            self.assertTrue(any(place in chain for chain in whole), f"nothing of {place}")
        self.assertTrue(any(re.search(r"< region < main", chain) for chain in whole), "no chain leads to main")

    def test_bare(self):
        self.look(TULLE_TLS="bare")

    def test_whole(self):
        self.look(TULLE_TLS="whole")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
