# SPDX-License-Identifier: Apache-2.0
"""The harness's judgements: verdicts, ratios, choice of scenarios, the keys of the summary, the order of
the turns, what a run takes up of an earlier one, and one line for each bad argument."""
import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from harness import build, resume, rounds, scenarios, summary, venv  # noqa: E402
from harness.peers import Runtime  # noqa: E402
from harness.rounds import Measurement, Row, rows  # noqa: E402

RUN = Path(__file__).resolve().parents[2] / "bench" / "run.py"


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

    def test_without_peers_there_is_no_verdict(self):
        self.assertEqual(summary.summarise(row(tulle=[1.0]), "tulle")["verdict"], "not measured")

    def test_a_failed_peer_is_no_yardstick(self):
        one = row(tulle=[80.0], libgomp=[10.0], libomp=[100.0])
        one.results["libgomp"].failure = "wrong"
        self.assertAlmostEqual(summary.summarise(one, "tulle")["ratio"], 0.8)

    def test_keys(self):
        self.assertEqual(list(summary.summarise(row(tulle=[1.0], libomp=[1.0]), "tulle")),
                         ["scenario", "compiler", "threads", "tulle", "peers", "ratio", "worst", "verdict"])

    def test_median_and_spread(self):
        measurement = Measurement(samples=[1.0, 2.0, 3.0, 4.0, 100.0])
        self.assertEqual(summary.median(measurement), 3.0)
        self.assertGreater(summary.spread(measurement), 0.1)

    def test_the_slowest_process_counts_as_a_whole(self):
        one = row(tulle=[50.0] * 5 + [90.0, 500.0, 110.0], libomp=[100.0] * 8)
        one.results["tulle"].turns = [5, 3]
        self.assertEqual(summary.of_processes(one.results["tulle"]), [50.0, 110.0])
        self.assertAlmostEqual(summary.summarise(one, "tulle")["worst"], 1.1)
        self.assertIsNone(summary.summarise(row(tulle=[1.0], libomp=[1.0]), "tulle")["worst"])

    def test_an_interval_across_the_boundary_settles_nothing(self):
        entry = summary.summarise(row(tulle=[107.0], libomp=[100.0]), "tulle")
        self.assertEqual(entry["verdict"], "behind")
        self.assertFalse(summary.is_settled(entry, (1.04, 1.2)))
        self.assertTrue(summary.is_settled(entry, (1.06, 1.2)))

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
    def test_the_interval_knows_that_samples_of_a_run_resemble_each_other(self):
        one = row(tulle=[100.0] * 5 + [130.0] * 5, libomp=[100.0] * 10)
        for measurement in one.results.values():
            measurement.turns = [5, 5]
        low, high = summary.interval(one, "tulle")
        self.assertAlmostEqual(low, 1.0)
        self.assertAlmostEqual(high, 1.3)
        self.assertTrue(summary.may_be_behind(one, "tulle"))

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
    def test_the_interval_of_a_median(self):
        # Of 15 the fourth ones from both ends: 2 P(B(15, 1/2) <= 3) is 3.5 %, and with one less 11.8 %.
        self.assertEqual(summary.interval_of_median([float(n) for n in range(15, 0, -1)]), (4.0, 12.0))
        self.assertEqual(summary.interval_of_median([2.0, 1.0]), (1.0, 2.0))

    def test_what_is_clearly_ahead_or_failed_is_not_measured_again(self):
        self.assertFalse(summary.may_be_behind(row(tulle=[50.0] * 5, libomp=[100.0] * 5), "tulle"))
        failed = row(tulle=[1.0] * 5, libomp=[100.0] * 5)
        failed.results["tulle"].failure = "timeout"
        self.assertFalse(summary.may_be_behind(failed, "tulle"))


def no_progress(_step: str) -> None:
    pass


class Turns(unittest.TestCase):
    """With a stand-in for the programs that are measured."""

    def setUp(self):
        self.runtimes = [Runtime("tulle", Path("ours")), Runtime("libomp", Path("theirs"))]
        self.rows = [Row(scenarios.select([name])[0], "gcc", 2, {"tulle": Measurement(),
                                                                "libomp": Measurement()})
                     for name in ("barrier", "single")]
        self.settings = rounds.Settings(build=Path(), rounds=2, processes=0)
        self.taken = []
        patch = mock.patch.object(rounds, "_turn", self.turn)
        patch.start()
        self.addCleanup(patch.stop)

    def turn(self, measured, runtime, _settings):
        self.taken.append((measured.scenario.name, runtime.name))
        return Measurement(samples=[1.0], runs=1)

    def test_runtimes_take_turns_in_each_row_of_each_round(self):
        rounds.run_rounds(self.rows, self.runtimes, self.settings, no_progress)
        one = [("barrier", "tulle"), ("barrier", "libomp"), ("single", "tulle"), ("single", "libomp")]
        self.assertEqual(self.taken, 2 * one)

    def test_flat_constructs_have_more_processes(self):
        self.settings.processes = 4
        nested = Row(scenarios.select(["nested_100"])[0], "gcc", 2, {"tulle": Measurement()})
        rounds.run_rounds([*self.rows, nested], self.runtimes, self.settings, no_progress)
        self.assertEqual([r.results["tulle"].runs for r in (*self.rows, nested)], [4, 4, 2])

    def test_each_row_has_a_round_when_time_is_over(self):
        self.settings.seconds = 0.0
        rounds.run_rounds(self.rows, self.runtimes, self.settings, no_progress)
        self.assertEqual([m.runs for r in self.rows for m in r.results.values()], [1, 1, 1, 1])

    def test_more_rounds_are_of_all_runtimes_and_beside_the_earlier_ones(self):
        rounds.run_rounds(self.rows, self.runtimes, self.settings, no_progress)
        rounds.run_again(self.rows[:1], self.runtimes, self.settings, 60.0, no_progress)
        runs = 2 + self.settings.again
        self.assertEqual([m.runs for m in self.rows[0].results.values()], [runs, runs])
        self.assertEqual([len(m.samples) for m in self.rows[0].results.values()], [runs, runs])
        self.assertEqual([(r.again, r.results["tulle"].runs) for r in self.rows],
                         [(True, runs), (False, 2)])


class Resuming(unittest.TestCase):
    """What stands of an earlier run, in which `barrier` was ahead and `single` behind; `critical` was not in it."""

    def take_up(self, library_changes: bool):
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "libgomp.so"
            library.write_bytes(b"one")
            runtimes = [Runtime("tulle", Path(folder))]
            kept = {"measured_again": False, "compiler": "gcc", "threads": 2}
            measured = {"runs": 2, "samples_of_runs": [2], "disturbed": 0, "cpus": [], "failure": "", "detail": {}}
            document = {"libraries": {"tulle": resume.print_of(runtimes[0])}, "rows": [
                {**kept, "scenario": name, "results": {"tulle": {**measured, "samples": [own, own]},
                                                       "libomp": {**measured, "samples": [100.0, 100.0]}}}
                for name, own in (("barrier", 50.0), ("single", 150.0))]}
            results = Path(folder) / "results.json"
            results.write_text(json.dumps(document))
            if library_changes:
                library.write_bytes(b"two")
            found = [Row(scenarios.select([name])[0], "gcc", 2, {"tulle": Measurement(), "libomp": Measurement()})
                     for name in ("barrier", "single", "critical")]
            new = resume.Earlier(results, runtimes).take_up(found, "tulle")
            return [r.scenario.name for r in new], [len(r.results["tulle"].samples) for r in found]

    def test_rows_of_the_same_library_stay(self):
        self.assertEqual(self.take_up(False), (["critical"], [2, 2, 0]))

    def test_rows_behind_of_another_one_begin_afresh(self):
        self.assertEqual(self.take_up(True), (["single", "critical"], [2, 0, 0]))


class Environment(unittest.TestCase):
    def test_only_our_runtime_gets_the_controls_of_a_scenario(self):
        cut = scenarios.select(["linear2048_tied_1000ns_yield"])[0]
        ours = rounds.environment(cut, 2, Runtime("tulle", Path("x")))
        theirs = rounds.environment(cut, 2, Runtime("libgomp", Path("y")))
        self.assertEqual(ours["TULLE_TASK_CUTOFF"], "yield")
        self.assertEqual(ours["OMP_PROC_BIND"], "close")
        self.assertNotIn("TULLE_TASK_CUTOFF", theirs)


class Peers(unittest.TestCase):
    def test_without_their_wheels_the_others_are_measured(self):
        answer = subprocess.run([sys.executable, "-c", f"""
import sys
sys.path.insert(0, {str(RUN.parent)!r})
from pathlib import Path
from harness import venv
venv._install = lambda python, packages: "no network"
venv._bring_peers(Path("/nonexistent"), Path("python3"))
"""], capture_output=True, text=True, check=True)
        self.assertEqual(len(answer.stderr.splitlines()), 1)
        for package in venv.PEERS.read_text().split():
            self.assertIn(package, answer.stderr)


class Arguments(unittest.TestCase):
    def test_a_bad_one_gets_one_line(self):
        for words in (["--threads", "two"], ["--threads", "0"], ["--threads", "1000"], ["--only", "nothing"],
                      ["--runtimes", "libfoo"], ["--runtimes", "tulle,tulle"], ["--compilers", "icc"],
                      ["--rounds", "0"], ["--target-ms", "-1"], ["--only", "barrier", "--resume", "/nonexistent"], ["--unknown"], ["word"]):
            answer = subprocess.run([sys.executable, RUN, *words], capture_output=True, text=True,
                                    timeout=60, check=False)
            self.assertEqual((answer.returncode, len(answer.stderr.splitlines()), answer.stdout), (2, 1, ""),
                             words)
            self.assertIn(words[-1].split(",")[0], answer.stderr)


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

    @unittest.skipUnless(importlib.util.find_spec("rich"), "no rich")
    def test_a_goal_stands_in_the_unit_of_its_row(self):
        from harness import terminal
        memory, creation = (scenarios.select([name])[0] for name in ("member_memory", "member_creation"))
        in_bytes = Measurement(samples=[1.0], runs=1, detail={"unit": "B"})
        self.assertEqual(terminal.bounds_text(Row(memory, "gcc", 2, {"tulle": in_bytes})), "≤24,576 B")
        in_time = Measurement(samples=[1.0], runs=1)
        self.assertEqual(terminal.bounds_text(Row(creation, "gcc", 2, {"tulle": in_time})), "≤30 µs")

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
