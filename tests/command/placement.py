# SPDX-License-Identifier: Apache-2.0
"""`tulle info --placement`: the drawing, on machines and placements that are given, and what it shows
of a real program."""
import collections
import json
import os
import subprocess
import sys
import unittest

TULLE, PROGRAM = sys.argv[1:3]

# Sixteen cores in eight nodes. Team 0 spreads over the machine, teams 1 and 2 stay in a node each,
# team 3 on one core.
SPREAD = """# tulle placement 1
1 0 0 0 0 10
1 0 1 4 4 10
2 1 0 0 0 5
2 1 1 1 1 5
2 2 0 4 4 3
2 2 1 5 5 3
2 3 0 9 9 2
2 3 1 9 9 2
"""


def tulle(*words, **environment):
    inherited = {k: v for k, v in os.environ.items()
                 if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    return subprocess.run([TULLE, *words], capture_output=True, text=True, timeout=300,
                          check=False, env={**inherited, **environment})


def draw(placement, *options, status=0):
    """As a program would that leaves `placement` and exits with `status`."""
    tabs = "\n".join("\t".join(line.split()) if line[:1] != "#" else line
                     for line in placement.splitlines()) + "\n"
    return tulle("info", "--topology", "numa:8 core:2 pu:1", *options, "--placement", "--", "sh", "-c",
                 'printf %s "$0" > "$TULLE_PLACEMENT"; exit ' + str(status), tabs)


class Drawing(unittest.TestCase):
    def setUp(self):
        self.maxDiff = None

    def test_teams_stand_where_they_ran(self):
        lines = draw(SPREAD).stdout.splitlines()
        self.assertEqual(lines[0], "Placement: 2 levels, 4 teams, 8 members begun 40 times")
        self.assertEqual(lines[3:], [
            "  machine: CPUs 0-15",
            "  │  holds all of team 0 (level 1)",
            "  ├─ NUMA node 0: CPUs 0-1",
            "  │    holds all of team 1 (level 2)",
            "  │  ├─ core 0: CPU 0",
            "  │  │    level 1: team 0, member 0, 10 times",
            "  │  │    level 2: team 1, member 0, 5 times",
            "  │  └─ core 1: CPU 1",
            "  │       level 2: team 1, member 1, 5 times",
            "  ├─ NUMA node 1: CPUs 2-3",
            "  │  └─ cores 2-3: CPUs 2-3",
            "  ├─ NUMA node 2: CPUs 4-5",
            "  │    holds all of team 2 (level 2)",
            "  │  ├─ core 4: CPU 4",
            "  │  │    level 1: team 0, member 1, 10 times",
            "  │  │    level 2: team 2, member 0, 3 times",
            "  │  └─ core 5: CPU 5",
            "  │       level 2: team 2, member 1, 3 times",
            "  ├─ NUMA node 3: CPUs 6-7",
            "  │  └─ cores 6-7: CPUs 6-7",
            "  ├─ NUMA node 4: CPUs 8-9",
            "  │  ├─ core 8: CPU 8",
            "  │  └─ core 9: CPU 9",
            "  │       level 2: team 3, members 0-1, 4 times",
            "  └─ NUMA nodes 5-7: CPUs 10-15, each:",
            "     └─ cores 10-11: CPUs 10-11",
        ])

    def test_many_teams_are_counted(self):
        few = "".join(f"2 {team} 0 0 0 1\n" for team in (1, 2, 3, 7))
        many = "".join(f"3 {team} 0 0 0 1\n" for team in range(100, 300, 2))
        out = draw("# tulle placement 1\n" + few + many).stdout
        self.assertIn("level 2: teams 1-3,7, 4 members, 4 times\n", out)
        self.assertIn("level 3: 100 teams, 100 members, 100 times\n", out)

    def test_a_cpu_that_the_machine_has_not(self):
        out = draw("# tulle placement 1\n1 0 0 0 0 4\n1 0 1 1 77 3\n1 1 0 1 -1 1\n").stdout
        self.assertIn("4 of them on no CPU of this machine", out)
        self.assertNotIn("holds all", out)

    def test_json(self):
        report = json.loads(draw(SPREAD, "--json").stdout)
        self.assertEqual(len(report["placement"]), 8)
        self.assertEqual(report["placement"][3],
                         {"level": 2, "team": 1, "member": 1, "leaf": 1, "cpu": 1, "count": 5})
        self.assertEqual(report["machine"]["tree"]["cpus"], 16)

    def test_exit_status_is_the_programs(self):
        self.assertEqual(draw(SPREAD, status=7).returncode, 7)
        self.assertEqual(tulle("info", "--placement", "no-such-program").returncode, 127)

    def test_nothing_to_draw(self):
        for given in ("true",), ():
            done = tulle("info", "--placement", *given)
            self.assertEqual(done.returncode, 125)
            self.assertIn("program", done.stderr)
        for wrong in ("# tulle placement 2\n", "# tulle placement 1\n1 0 0\n",
                      "# tulle placement 1\n1 0 0 0 0 1 9\n"):
            done = draw(wrong)
            self.assertEqual(done.returncode, 125, wrong)
            self.assertEqual(done.stdout, "")


class Program(unittest.TestCase):
    """Ten times a team of three, each member a team of two."""

    def check(self, **environment):
        done = tulle("info", "--json", "--placement", PROGRAM, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        counts, teams = collections.Counter(), collections.defaultdict(set)
        for placed in json.loads(done.stdout[done.stdout.index("{"):])["placement"]:
            counts[placed["level"]] += placed["count"]
            teams[placed["level"], placed["team"]].add(placed["member"])
        self.assertEqual(counts, {1: 30, 2: 60})
        for (level, _), members in teams.items():
            self.assertEqual(members, {0, 1, 2} if level == 1 else {0, 1})

    def test_each_policy(self):
        for policy in "default", "spread", "affinity", "scatter", "shared", "random":
            with self.subTest(policy=policy):
                self.check(TULLE_POLICY=policy)

    def test_drawing(self):
        done = tulle("info", "--placement", PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("60 members\n", done.stdout)  # the program's own line comes first
        self.assertIn("level 1: team 0, ", done.stdout)


unittest.main(argv=sys.argv[:1])
