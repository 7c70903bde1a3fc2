# SPDX-License-Identifier: Apache-2.0
"""`tulle simulate`.
usage: simulate.py TULLE RUNTIME_FOLDER LYING_PLUGIN"""
import json
import re
import subprocess
import sys
import unittest

TULLE, LYING = sys.argv[1], sys.argv[3]
NODES = ("--topology", "numa:8 core:2 pu:1")


def simulate(*words):
    return subprocess.run([TULLE, "simulate", *words], capture_output=True, text=True, timeout=300,
                          check=False)


def result(*words):
    done = simulate("--json", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Simulate(unittest.TestCase):
    def test_every_policy_runs_every_thread(self):
        for policy in ("spread", "affinity", "scatter", "shared", "random"):
            report = result("--policy", policy, "--teams", "16x4", *NODES)
            self.assertEqual((report["policy"], report["cpus"], report["threads"]),
                             (policy, 16, 64))
            self.assertEqual(len(report["runs"]), 64)
            self.assertEqual(report["idle_while_work_waited"], 0)

    def test_affinity_keeps_a_team_on_its_node(self):
        report = result("--teams", "2", *NODES)
        self.assertEqual({run["cpu"] for run in report["runs"]}, {0, 1})
        self.assertEqual(report["remote"], 0)
        spread = result("--policy", "spread", "--teams", "2", *NODES)
        self.assertEqual(spread["remote"], 1)

    def test_parameter_reaches_the_policy(self):
        usual, same, whole = (result("--policy", f"spread{threshold}", "--teams", "16", *NODES)
                              for threshold in ("", ":1.5", ":100"))
        self.assertEqual(usual["runs"], same["runs"])
        self.assertNotEqual(usual["runs"], whole["runs"])

    def test_loads_balance_unequal_work(self):
        words = ("--policy", "spread", "--teams", "64", "--ratio", "25", "--remote", "1", *NODES)
        self.assertLessEqual(result("--hints", *words)["time"], result(*words)["time"])

    def test_draws_where_teams_went(self):
        drawing = simulate("--teams", "2", *NODES).stdout
        self.assertIn("2 threads on 16 CPUs", drawing)
        self.assertIn("level 1: 1 of team 0", drawing)

    def test_says_what_it_does_not_understand(self):
        for words, said in ((("--policy", "nope"), "random"), (("--policy", "spread:x"), "number"),
                            (("--policy", "/nowhere/x.so"), "/nowhere/x.so"),
                            (("--teams", "4y"), "team sizes"), (("--teams", "x".join("2" * 11)), "10 levels"),
                            (("--teams", "1001x1000"), "1000000 threads"), (("--topology", "fruit"), "fruit"),
                            (("--topology", "numa:8"), "pu:1"), (("--ratio", "nan"), "nan"),
                            (("--remote", "inf"), "inf"), (("--tick", "1e-300"), "1e-300"),
                            (("--construct", "fruit", "--machine", "2x7742"), "barrier"),
                            (("--construct", "barrier"), "2x7742"),
                            (("--construct", "barrier", "--machine", "nope"), "graviton3"),
                            (("--machine", "2x7742"), "--construct"),
                            (("--tick", "-1"), "-1"), (("--seed", "-1"), "-1"), (("--seed", "1.5"), "1.5")):
            done = simulate(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertRegex(done.stderr, r"^tulle: [^\n]*\n$")
            self.assertIn(said, done.stderr)

    def test_says_which_plugin_lies(self):
        done = simulate("--policy", LYING, "--teams", "8", *NODES)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"^tulle: {re.escape(LYING)}: idle\(\) moved nothing .*\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
