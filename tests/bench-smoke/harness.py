# SPDX-License-Identifier: Apache-2.0
"""The harness's judgements: verdicts, ratios, choice of scenarios, and the keys of the summary."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from harness import build, scenarios, summary  # noqa: E402
from harness.rounds import Measurement, Row, rows  # noqa: E402


def row(**samples) -> Row:
    scenario = scenarios.select(["barrier"])[0]
    return Row(scenario, "gcc", 2, {name: Measurement(samples=list(values), runs=1)
                                    for name, values in samples.items()})


class Verdicts(unittest.TestCase):
    def test_the_best_peer_counts(self):
        entry = summary.summarise(row(tulle=[80.0], libgomp=[200.0], libomp=[100.0]), "tulle")
        self.assertEqual(entry["verdict"], "ahead")
        self.assertAlmostEqual(entry["ratio"], 0.8)

    def test_five_per_cent_are_level(self):
        for value, verdict in ((94.0, "ahead"), (96.0, "level"), (104.0, "level"), (106.0, "behind")):
            self.assertEqual(summary.summarise(row(tulle=[value], libomp=[100.0]), "tulle")["verdict"],
                             verdict)

    def test_a_failure_is_behind(self):
        failed = row(tulle=[1.0], libomp=[100.0])
        failed.results["tulle"].failure = "timeout"
        self.assertEqual(summary.summarise(failed, "tulle")["verdict"], "behind")

    def test_a_failed_peer_is_no_yardstick(self):
        one = row(tulle=[80.0], libgomp=[10.0], libomp=[100.0])
        one.results["libgomp"].failure = "wrong"
        self.assertAlmostEqual(summary.summarise(one, "tulle")["ratio"], 0.8)

    def test_keys(self):
        self.assertEqual(list(summary.summarise(row(tulle=[1.0], libomp=[1.0]), "tulle")),
                         ["scenario", "compiler", "threads", "tulle", "peers", "ratio", "verdict"])

    def test_median_and_spread(self):
        measurement = Measurement(samples=[1.0, 2.0, 3.0, 4.0, 100.0])
        self.assertEqual(summary.median(measurement), 3.0)
        self.assertGreater(summary.spread(measurement), 0.1)


class Scenarios(unittest.TestCase):
    def test_names_groups_and_prefixes(self):
        self.assertEqual([s.name for s in scenarios.select(["parallel"])], ["parallel"])
        self.assertTrue(all(s.group == "tasks" for s in scenarios.select(["tasks"])))
        self.assertEqual({s.group for s in scenarios.select(["cholesky"])}, {"cholesky"})
        self.assertEqual(scenarios.select(["no such scenario"]), [])

    def test_each_scenario_has_a_program(self):
        known = build.programs()
        for scenario in scenarios.everything():
            self.assertIn(scenario.program, known)

    def test_a_runtime_without_the_interface_is_left_out(self):
        class OnlyGcc:
            name = "libgomp"

            @staticmethod
            def serves(compiler):
                return compiler == "gcc"

        found = rows(scenarios.select(["barrier"]), ["gcc", "clang"], [OnlyGcc], [], False)
        self.assertEqual({r.compiler for r in found}, {"gcc"})


if __name__ == "__main__":
    unittest.main()
