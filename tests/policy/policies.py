# SPDX-License-Identifier: Apache-2.0
"""Policies in whole programs: where threads ran, who is bound, and what is said of names that are none.
usage: policies.py RUNTIME_FOLDER PROGRAM_FOLDER PLUGIN WRONG_VERSION STUBBORN"""
import collections
import os
import subprocess
import sys
import tempfile
import unittest

RUNTIME, PROGRAMS, PLUGIN, WRONG_VERSION, STUBBORN = sys.argv[1:6]
NAMES = ["spread", "affinity", "scatter", "shared", "random"]
CPUS = len(os.sched_getaffinity(0))


def run(program, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "GOMP_", "KMP_"))}
    env.update(settings, LD_LIBRARY_PATH=RUNTIME)
    done = subprocess.run([os.path.join(PROGRAMS, program)], env=env, capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{program} {settings}: status {done.returncode}: {done.stderr}")
    return done


def placement(**settings):
    """{(level, team): {(member, leaf): count}} of nest.c."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "placement")
        run("nest", TULLE_PLACEMENT=file, OMP_DYNAMIC="false", **settings)
        with open(file, encoding="ascii") as lines:
            first, *rest = lines.read().splitlines()
    assert first == "# tulle placement 1", first
    teams = collections.defaultdict(dict)
    assert rest[0].startswith("# members "), rest[0]
    for line in rest[1:]:
        level, team, member, leaf, cpu, count = map(int, line.split("\t"))
        assert leaf < CPUS and cpu in os.sched_getaffinity(0), line
        teams[level, team][member, leaf] = count
    return teams


class Placement(unittest.TestCase):
    def expect_all_threads(self, teams):
        self.assertEqual(sorted(level for level, _ in teams), [1] + 6 * [2])
        for (level, _), counts in teams.items():
            members = collections.Counter()
            for (member, _), count in counts.items():
                members[member] += count
            self.assertEqual(members, {m: 10 for m in range(6 if level == 1 else 3)})

    def test_counts_each_thread_once(self):
        for name in ["default", *NAMES, "scatter:2", "spread:0.5", PLUGIN]:
            with self.subTest(policy=name):
                self.expect_all_threads(placement(TULLE_POLICY=name))

    def test_counts_more_workers_than_cpus(self):
        for name in ["default", "spread"]:
            with self.subTest(policy=name):
                self.run_on_five_workers(name)

    def run_on_five_workers(self, name):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "placement")
            run("nest", TULLE_PLACEMENT=file, TULLE_POLICY=name, TULLE_WORKERS="5")
            with open(file, encoding="ascii") as lines:
                self.assertGreater(len(lines.readlines()), 6)

    @unittest.skipIf(CPUS < 2, "one CPU")
    def test_uses_more_than_one_leaf(self):
        for name in NAMES:
            with self.subTest(policy=name):
                for _ in range(100):  # where others have the CPUs, a worker may come too late for a run
                    leaves = {leaf for counts in placement(TULLE_POLICY=name).values() for _, leaf in counts}
                    if len(leaves) > 1:
                        break
                self.assertGreater(len(leaves), 1)


class Teams(unittest.TestCase):
    def test_end_whatever_the_policy_does(self):
        for name in [STUBBORN, PLUGIN, *NAMES]:
            with self.subTest(policy=name):
                run("meet", TULLE_POLICY=name)


class Binding(unittest.TestCase):
    def masks(self, **settings):
        # A worker that waits for a child is not stuck: nobody else takes the threads behind it.
        lines = run("masks", OMP_NUM_THREADS=str(CPUS), TULLE_MONITOR_TICK="5s", **settings).stdout.split("\n")
        return {int(member): (int(here), int(child), int(initial))
                for member, here, child, initial in (line.split() for line in lines if line)}

    def test_default_binds_nobody(self):
        self.assertEqual({masks[:2] for masks in self.masks().values()}, {(CPUS, CPUS)})

    def test_policies_bind_workers_but_not_the_program_s_threads_or_children(self):
        for name in NAMES:
            masks = self.masks(TULLE_POLICY=name)
            self.assertEqual(masks[0], (CPUS, CPUS, 1))
            self.assertEqual({child for _, child, _ in masks.values()}, {CPUS})
            for member, (here, _, initial) in masks.items():
                self.assertEqual(here, CPUS if initial else 1, f"{name}: member {member}")

    def test_places_go_before_policies(self):
        masks = self.masks(TULLE_POLICY="scatter", OMP_PLACES="threads")
        self.assertEqual({here for here, _, _ in masks.values()}, {1})


class Names(unittest.TestCase):
    def said(self, value):
        return run("nest", TULLE_POLICY=value).stderr.splitlines()

    def expect_one_line(self, value, *words):
        lines = self.said(value)
        self.assertEqual(len(lines), 1, lines)
        for word in ("TULLE_POLICY", value, "DEFAULT", *words):
            self.assertIn(word, lines[0])

    def test_good_names_are_silent(self):
        for name in ["default", "Spread", "affinity:2", "spread:.5", PLUGIN, f"{PLUGIN}:3"]:
            self.assertEqual(self.said(name), [])

    def test_unknown_names(self):
        for name in ["best", "spread:", "spread:x", "spread:nan", "spread:inf", "spread:1,5", "spread:.",
                     "default:1"]:
            self.expect_one_line(name, "not valid")

    def test_objects_that_are_no_policies(self):
        self.expect_one_line("/none/such.so", "cannot open")
        self.expect_one_line(WRONG_VERSION, "version 3")
        self.expect_one_line(os.path.join(RUNTIME, "libtulle-topology.so"), "tulle_policy_entry")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
