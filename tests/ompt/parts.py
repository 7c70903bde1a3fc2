# SPDX-License-Identifier: Apache-2.0
"""Which parts of constructs a tool is told of: chunks, sections, ordered regions; locks that are let go; errors.

usage: parts.py PROGRAM TOOL COMPILER
"""
import os
import subprocess
import sys
import unittest

PROGRAM, TOOL, COMPILER = sys.argv[1:]
LOOP_STATIC, LOOP_DYNAMIC, LOOP_GUIDED, SECTIONS = 10, 11, 12, 2  # ompt_work_t
NEST, ORDERED = 3, 7  # ompt_mutex_t
LOCKING = "acquire", "acquired", "released"
TASKLOOP, SINGLE = 7, (3, 4)
WORKSHARING, TASKLOOP_CHUNK = 3, 4  # ompt_dispatch_t
SOURCE, SINK = 5, 6  # ompt_dependence_type_t


class Parts(unittest.TestCase):
    def told(self, part):
        answer = subprocess.run([PROGRAM, part], env=dict(os.environ, OMP_TOOL_LIBRARIES=TOOL), capture_output=True,
                                text=True, timeout=60)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return [line.split() for line in answer.stdout.splitlines()]

    def chunks(self, part, kind):
        lines = self.told(part)
        begins = [line for line in lines if line[0] == "work"]
        self.assertEqual({int(line[1]) for line in begins}, {kind})
        chunks = sorted((int(line[2]), int(line[3])) for line in lines if line[0] == "chunk")
        self.assertEqual({int(line[1]) for line in lines if line[0] == "chunk"}, {WORKSHARING})
        return chunks, int(begins[0][2])

    def check_whole(self, chunks, trips):
        at = 0
        for start, count in chunks:
            self.assertEqual(start, at)
            at += count
        self.assertEqual(at, trips)

    def test_dynamic(self):
        chunks, trips = self.chunks("dynamic", LOOP_DYNAMIC)
        self.assertEqual((chunks, trips), ([(0, 3), (3, 3), (6, 3), (9, 3), (12, 3), (15, 3), (18, 2)], 20))

    def test_team_of_one(self):
        chunks, trips = self.chunks("alone", LOOP_DYNAMIC)
        self.check_whole(chunks, trips)

    def test_guided(self):
        chunks, trips = self.chunks("guided", LOOP_GUIDED)
        self.check_whole(chunks, trips)
        self.assertGreater(len(chunks), 2)

    def test_down(self):
        self.assertEqual(self.chunks("down", LOOP_DYNAMIC), ([(0, 4), (4, 4), (8, 2)], 10))

    def test_static(self):
        if COMPILER == "clang":  # GCC's code does not call
            self.assertEqual(self.chunks("fixed", LOOP_STATIC), ([(0, 10), (10, 10)], 20))

    def test_sections(self):
        lines = self.told("sections")
        self.assertEqual({int(line[1]) for line in lines if line[0] == "work"}, {SECTIONS})
        # To Clang's code they are a static loop: of a thread's part it says where the first one begins.
        told = 3 if COMPILER == "gcc" else 2
        self.assertEqual([line for line in lines if line[0] == "section"], told * [["section", PROGRAM]])

    def test_ordered(self):
        lines = [line for line in self.told("ordered") if line[0] in LOCKING and int(line[1]) == ORDERED]
        for event in "acquire", "acquired", "released":
            self.assertEqual(sum(line[0] == event for line in lines), 6)
        self.assertEqual(len({line[2] for line in lines}), 1)
        self.assertEqual({line[3] for line in lines}, {PROGRAM})
        inside = 0
        for line in lines:  # one after the other
            inside += {"acquire": 0, "acquired": 1, "released": -1}[line[0]]
        self.assertEqual(inside, 0)

    def test_doacross_is_a_loop(self):
        self.assertEqual({int(line[1]) for line in self.told("doacross") if line[0] == "work"}, {LOOP_STATIC})

    def dependences(self, part, kind):
        return sorted(tuple(map(int, line[2:])) for line in self.told(part)
                      if line[0] == "dependences" and int(line[1]) == kind)

    def test_sources_and_sinks(self):
        for part in "doacross", "doacross_alone":
            with self.subTest(part):
                self.assertEqual(self.dependences(part, SOURCE), [(i,) for i in range(6)])
                self.assertEqual(self.dependences(part, SINK), [(i,) for i in range(5)])

    def test_sources_and_sinks_of_a_nest(self):
        for part in "nest", "nest_alone":
            with self.subTest(part):
                self.assertEqual(self.dependences(part, SOURCE), [(i, j) for i in range(3) for j in range(2)])
                self.assertEqual(self.dependences(part, SINK),
                                 sorted([(i, j) for i in range(2) for j in range(2)] + [(i, 0) for i in range(3)]))

    def test_sources_come_first(self):
        lines = [line for line in self.told("doacross") if line[0] == "dependences"]
        for i in range(5):
            self.assertLess(lines.index(["dependences", str(SOURCE), str(i)]), lines.index(["dependences", str(SINK), str(i)]))

    def check_taskloop(self, part, trips, tasks, group):
        lines = self.told(part)
        chunks = [tuple(map(int, line[1:])) for line in lines if line[0] == "chunk"]
        self.assertEqual({chunk[0] for chunk in chunks}, {TASKLOOP_CHUNK})
        self.check_whole(sorted(chunk[1:] for chunk in chunks), trips)
        self.assertEqual(len(chunks), tasks)
        self.assertEqual([line for line in lines if line[0] == "create"], tasks * [["create", PROGRAM]])
        # The task whose chunk it is runs it.
        self.assertEqual(sorted(int(line[1]) for line in lines if line[0] == "complete"), sorted(chunk[2] for chunk in chunks))
        order = [line[0] for line in lines if line[0] in ("work", "work_end") and int(line[1]) == TASKLOOP]
        self.assertEqual(order, ["work", "work_end"])
        self.assertEqual([line[1:] for line in lines if line[0] == "group"], [["1", PROGRAM], ["2", PROGRAM]] if group else [])
        # Closely nested in a single construct, which goes on.
        order = [line for line in lines if line[0] in ("work", "work_end") and int(line[1]) in (SINGLE[0], TASKLOOP)]
        self.assertEqual([int(line[1]) for line in order], [SINGLE[0], TASKLOOP, TASKLOOP, SINGLE[0]])

    def test_taskloop(self):
        self.check_taskloop("taskloop", 20, 6, True)
        self.check_taskloop("taskloop_alone", 20, 6, True)

    def test_taskloop_of_many_parts(self):
        self.check_taskloop("many_parts", 2500, 1000, True)

    def test_undeferred_taskloop(self):
        self.check_taskloop("undeferred", 10, 4, False)

    def test_lock_of_another(self):
        lines = [line for line in self.told("lock") if line[0] in LOCKING and int(line[1]) == NEST]
        self.assertEqual([line[0] for line in lines], ["acquire", "acquired", "released"])

    def test_error(self):
        self.assertEqual([line for line in self.told("error")], [["error", "1", "11", PROGRAM, "rather", "warm"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
