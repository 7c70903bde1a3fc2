# SPDX-License-Identifier: Apache-2.0
"""The model of coherence. usage: model.py MODEL PROJECT_FOLDER"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

MODEL, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
MACHINES = ROOT / "share" / "machines"
PLAIN = {"name": "plain", "source": "a test", "cores": 16, "cluster": 1, "socket": 16, "pause": 10,
         "latencies": {"socket": [100, 100, 100]}}


def model(*words):
    return subprocess.run([MODEL, *map(str, words)], capture_output=True, text=True, timeout=120, check=False)


def lines_of_run(machine, construct, protocol, threads, *more):
    with tempfile.TemporaryDirectory() as folder:
        file = MACHINES / f"{machine}.json"
        if isinstance(machine, dict):
            file = pathlib.Path(folder, "machine.json")
            file.write_text(json.dumps(machine))
        done = model(file, construct, protocol, threads, *more)
    if done.returncode != 0:
        raise AssertionError(f"{protocol}: {done.returncode} {done.stderr}")
    return done.stdout.splitlines()


def run(machine, construct, protocol, threads, bound="middle"):
    return json.loads("".join(lines_of_run(machine, construct, protocol, threads, bound)))


class Transfers(unittest.TestCase):
    """Figures that follow from a latency of 100 ns between any two cores, by hand."""

    def test_a_counter_costs_a_transfer_for_each_thread(self):
        few, many = (run(PLAIN, "barrier", "libgomp", threads)["ns"] for threads in (8, 16))
        self.assertAlmostEqual((many - few) / 8, 106, delta=30)  # and what a read-modify-write takes

    def test_a_tree_grows_by_its_levels(self):
        four, sixteen = (run(PLAIN, "barrier", "hyper", threads)["ns"] for threads in (4, 16))
        self.assertGreater(sixteen, 1.5 * four)
        self.assertLess(sixteen, 3 * four)

    def test_latency_is_all_that_counts(self):
        slow = {**PLAIN, "latencies": {"socket": [1000, 1000, 1000]}}
        for protocol in ("libgomp", "flags", "hyper", "dist", "tree"):
            ratio = run(slow, "barrier", protocol, 16)["ns"] / run(PLAIN, "barrier", protocol, 16)["ns"]
            self.assertGreater(ratio, 4, protocol)
            self.assertLess(ratio, 11, protocol)

    def test_clusters_are_near(self):
        near = {**PLAIN, "cluster": 4, "latencies": {"cluster": [20, 20, 20], "socket": [100, 100, 100]}}
        self.assertLess(run(near, "barrier", "libgomp", 4)["ns"], 0.5 * run(PLAIN, "barrier", "libgomp", 4)["ns"])

    def test_scans_overlap_as_far_as_misses_may_be_outstanding(self):
        one, more = (run(PLAIN, "barrier", "dist", 16, bound)["ns"] for bound in ("high", "low"))
        self.assertLess(more, one)


class Runtime(unittest.TestCase):
    """Its own code, on simulated cores."""

    def test_regions_and_barriers_end_on_every_machine(self):
        names = [file.stem for file in MACHINES.glob("*.json")]
        self.assertGreaterEqual(len(names), 9)
        for name in names:
            for construct in ("barrier", "region", "reduction"):
                self.assertGreater(run(name, construct, "tulle", 8)["ns"], 0, name)

    def test_the_same_run_gives_the_same_figure(self):
        first, second = (run("2x9654", "region", "tulle", 16) for _ in range(2))
        self.assertEqual(first, second)

    def test_two_cores_meet_by_a_few_transfers(self):
        barrier, region = (run(PLAIN, construct, "tulle", 2) for construct in ("barrier", "region"))
        self.assertLessEqual(barrier["lines"], 2)
        self.assertLessEqual(region["lines"], 5)
        self.assertLess(barrier["ns"], 350)

    def test_a_pool_falls_asleep_and_is_woken_by_as_many_calls_as_there_are_clusters(self):
        for name, threads, clusters in (("2x7742", 128, 32), ("2x9654", 192, 24), ("altra", 80, 10)):
            sleep = run(name, "sleep", "tulle", threads)
            self.assertGreater(sleep["fences"], 0, name)
            self.assertLessEqual(sleep["fences"], clusters, name)
            self.assertGreater(sleep["wakes"], 0, name)
            self.assertLessEqual(sleep["wakes"], clusters, name)


class Profile(unittest.TestCase):
    def test_says_which_instructions_took_the_time(self):
        times, *lines = lines_of_run(PLAIN, "barrier", "libgomp", 16, "middle", "profile")
        self.assertGreater(json.loads(times)["ns"], 0)
        taken = [(float(time), int(misses), int(address, 16)) for time, misses, address in map(str.split, lines)]
        self.assertEqual([line[0] for line in taken], sorted((line[0] for line in taken), reverse=True))
        # Each thread changes the counter in each of the ten barriers that are measured, and gets its line from another one.
        self.assertGreaterEqual(taken[0][1], 10 * 15)
        self.assertGreaterEqual(taken[0][0], 100 * taken[0][1])


    def test_of_one_core(self):
        def time_of(*core):
            return sum(float(line.split()[0]) for line in
                       lines_of_run(PLAIN, "barrier", "libgomp", 16, "middle", "profile", *core)[1:])
        self.assertLess(5 * time_of(3), time_of())


class Complaints(unittest.TestCase):
    def test_one_line_each(self):
        machine = MACHINES / "2x7742.json"
        with tempfile.NamedTemporaryFile("w", suffix=".json") as odd:
            json.dump({**PLAIN, "socket": 5}, odd)
            odd.flush()
            for words, said in (((), "usage"), (("/nowhere", "barrier", "tulle", 2, "low"), "/nowhere"),
                                ((machine, "fruit", "tulle", 2, "low"), "fruit"),
                                ((machine, "barrier", "fruit", 2, "low"), "fruit"),
                                ((machine, "barrier", "tulle", 129, "low"), "128"),
                                ((machine, "barrier", "tulle", 2, "some"), "some"),
                                ((machine, "barrier", "tulle", 2, "low", "profile", 128), "core from 0 to 127"),
                                ((machine, "barrier", "tulle", 2, "low", "profits"), "usage"),
                                ((odd.name, "barrier", "tulle", 2, "low"), "do not fit")):
                done = model(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""), words)
                self.assertRegex(done.stderr, r"^tulle-coherence: [^\n]*\n$")
                self.assertIn(said, done.stderr)


class Loops(unittest.TestCase):
    """Each trip computes for 200 ns, and each of 16 threads has 64 of them: 12.8 us at best."""

    def test_one_counter_is_no_match_for_its_threads(self):
        own, counter = (run(PLAIN, "guided", protocol, 16)["ns"] for protocol in ("tulle", "libgomp"))
        self.assertGreater(own, 12800)
        self.assertLess(own, 0.7 * counter)

    def test_ranges_are_stolen_from(self):
        own, counter = (run(PLAIN, "dynamic", protocol, 16)["ns"] for protocol in ("tulle", "libgomp"))
        self.assertTrue(12800 < own < 0.5 * counter, (own, counter))


class Tasks(unittest.TestCase):
    def test_many_thieves_get_on(self):
        """Sixteen tasks of 2 us for each thread: the whole takes as long as its maker, and not as they do one by one."""
        few, many = (run(PLAIN, "tasks", "tulle", threads)["ns"] for threads in (4, 16))
        self.assertGreater(few, 32000)
        self.assertLess(many, 16 * 16 * 2000 / 4)

    def test_workers_leave_their_seats_for_inner_regions_by_fences_that_they_share(self):
        """Each of 32 threads opens a region of four of 2 us: 10 us, and 63 with one fence after the other."""
        nests = run("2x7742", "nests", "tulle", 32)["ns"]
        self.assertGreater(nests, 8000)
        self.assertLess(nests, 30000)

    def test_priorities_do_not_meet_at_one_list(self):
        """Each of sixteen threads makes sixteen tasks of 2 us: 32 us at best, and 35 times that with one list for all."""
        many = run(PLAIN, "priorities", "tulle", 16)["ns"]
        self.assertGreater(many, 32000)
        self.assertLess(many, 12 * 32000)

    def test_peers_have_none(self):
        self.assertIn("is not in the model", model(MACHINES / "2x9654.json", "tasks", "hyper", 4, "low").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
