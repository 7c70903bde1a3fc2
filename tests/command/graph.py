# SPDX-License-Identifier: Apache-2.0
"""`tulle graph`.
usage: graph.py TULLE SAMPLE_PROGRAM"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

TULLE, SAMPLE = sys.argv[1:3]


class Graph(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "graphs"
        subprocess.run([SAMPLE, self.file], check=True, timeout=60)

    def graph(self, *words):
        return subprocess.run([TULLE, "graph", self.file, *words], capture_output=True, text=True,
                              timeout=60, check=False)

    def result(self, *words):
        done = self.graph("--json", *words)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def test_says_what_the_graphs_are(self):
        text = self.graph().stdout
        self.assertIn("20 tasks of 4 constructs, 30 edges", text)
        self.assertIn("critical path 10 tasks, parallelism 2.00", text)
        self.assertIn("16 tasks of 1 constructs, 24 edges", text)
        self.assertIn("critical path 7 tasks, parallelism 2.29", text)
        self.assertIn("+0x3000, id 7", text)
        self.assertNotIn("20 tasks", self.graph("-n", "1").stdout)

    def test_json_holds_the_whole_graph(self):
        cholesky, path_finder = self.result()
        self.assertEqual(path_finder["widths"], [1, 2, 3, 4, 3, 2, 1])
        self.assertEqual(path_finder["nodes"][0]["outputs"], [1, 4])
        for graph in cholesky, path_finder:
            self.assertEqual(len(graph["nodes"]), graph["tasks"])
            self.assertEqual(sum(len(node["outputs"]) for node in graph["nodes"]), graph["edges"])

    def test_schedules_keep_the_order_and_come_near_the_bound(self):
        for cores in (1, 2, 3, 16):
            for graph in self.result("--schedule", str(cores)):
                schedule, begin = graph["schedule"], {}
                self.assertEqual(len(schedule["cores"]), cores)
                for core in schedule["cores"]:
                    begin.update({task: time for time, task in enumerate(core) if task is not None})
                self.assertEqual(len(begin), graph["tasks"])
                for task, node in enumerate(graph["nodes"]):
                    for output in node["outputs"]:
                        self.assertLess(begin[task], begin[output])
                self.assertGreaterEqual(schedule["length"], schedule["bound"])
                self.assertLessEqual(schedule["length"], schedule["bound"] + 1)
                self.assertGreaterEqual(schedule["bound"], graph["critical_path"])
                self.assertGreaterEqual(schedule["bound"] * cores, graph["tasks"])
        self.assertRegex(self.graph("--schedule", "2").stdout,
                         r"on 2 cores \d+ units of time, no schedule takes fewer than \d+\n")

    def test_draws(self):
        picture = ElementTree.fromstring(self.graph("--svg", "-n", "0").stdout)
        tags = [re.sub(".*}", "", element.tag) for element in picture.iter()]
        self.assertEqual((tags.count("circle"), tags.count("line")), (20, 30))
        self.assertEqual(self.graph("--dot", "-n", "1").stdout.count("->"), 24)

    def test_says_in_one_line_what_is_wrong(self):
        self.file.write_bytes(self.file.read_bytes()[:-1])
        for words, said in (((), "cut"), (("-n", "5"), "cut")):
            done = self.graph(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, rf"^tulle: {re.escape(str(self.file))}: .*{said}.*\n$")
        self.file.unlink()
        self.assertRegex(self.graph().stderr, r"^tulle: .*: No such file or directory\n$")

    def test_says_which_graphs_there_are(self):
        self.assertRegex(self.graph("-n", "2").stderr, r"^tulle: .* it has 2 graphs\n$")
        self.assertRegex(self.graph("--svg").stderr, r"^tulle: .*--number.*\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
