# SPDX-License-Identifier: Apache-2.0
"""`tulle simulate --construct`. usage: command.py TULLE"""
import json
import re
import subprocess
import sys
import unittest

TULLE = sys.argv[1]
PROTOCOLS = ["tulle", "libgomp", "flags", "hyper", "dist", "tree"]


def simulate(*words):
    done = subprocess.run([TULLE, "simulate", "--machine", "2x9654", "--threads", "8", *words], capture_output=True,
                          text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


class Construct(unittest.TestCase):
    def test_shows_every_runtime_and_a_range(self):
        text = simulate("--construct", "barrier")
        self.assertIn("barrier of 8 threads on 2 x AMD EPYC 9654", text)
        found = re.findall(r"^  (\w+) +([\d.]+) +([\d.]+) to ([\d.]+)$", text, re.M)
        self.assertEqual([line[0] for line in found], PROTOCOLS)
        for name, middle, low, high in found:
            self.assertLessEqual(float(low), float(middle), name)
            self.assertLessEqual(float(middle), float(high), name)

    def test_fork_and_join_are_parts_of_a_region(self):
        fork, join, region = (json.loads(simulate("--json", "--construct", name))["times"]["hyper"]["middle"]
                              for name in ("fork", "join", "region"))
        self.assertAlmostEqual(fork + join, region, delta=0.2 * region)

    def test_json_names_the_source(self):
        answer = json.loads(simulate("--json", "--construct", "reduction"))
        self.assertIn("core-to-core-latency", answer["source"])
        self.assertEqual(list(answer["times"]), PROTOCOLS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
