# SPDX-License-Identifier: Apache-2.0
"""What is on the page of a program whose parts are known; and what `tulle trace` does with bad input.

usage: page.py TULLE PROGRAM
"""
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import traced
from traced import Page

TULLE, PROGRAM = sys.argv[1:3]
OTF2_PRINT = shutil.which("otf2-print")


def page_of(*words, options=("-t", "2"), **settings):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        done = traced.run(TULLE, *options, "-o", file, "--", PROGRAM, *words, settings=settings)
        return Page(file), done


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for _ in range(5):  # on a busy machine a thread may come when the other one has done all
            cls.page, cls.done = page_of()
            if {0, 1} <= cls.workers() and cls.waited("critical section at locked", "waits for locks") > 3:
                break

    @classmethod
    def workers(cls):
        return {span["worker"] for span in cls.page.spans(doing="work in regions", process=0)}

    @classmethod
    def waited(cls, text, doing):
        """Milliseconds, and those of who began or went on late, on a busy machine."""
        return cls.page.time(text, doing=doing) + cls.page.time(text, doing="ready, not running")

    def test_nothing_is_fetched(self):
        self.assertEqual((self.done.returncode, self.done.stdout, self.done.stderr), (0, "", ""))
        self.assertNotRegex(self.page.text, r"(src|href)\s*=|https?:")

    def test_lanes(self):
        initial = self.page.lanes[0]
        self.assertIn("initial", initial["name"])
        self.assertEqual(len([lane for lane in self.page.lanes if "1 of uneven" in lane["name"]]), 1)
        for lane in self.page.lanes:
            for before, after in zip(lane["spans"], lane["spans"][1:]):
                self.assertLessEqual(before["end"], after["begin"])
        self.assertLessEqual({0, 1}, self.workers())  # and a spare one, where one of them loses its core for long

    def test_reasons_of_waits(self):
        self.assertGreater(self.waited("uneven", "waits at barriers"), 25)
        self.assertGreater(self.waited("critical section at locked", "waits for locks"), 3)
        self.assertEqual(self.page.time("taskwait at uneven"), 0)
        names = {span["text"].split(" at ")[0] for span in self.page.spans(doing="waits at barriers")}
        self.assertLessEqual({"barrier", "end of region"}, names)
        for span in self.page.spans("uneven") + self.page.spans("locked"):
            self.assertIn("parts.c:", span["text"])

    def test_tasks(self):
        self.assertEqual(len(self.page.tasks), 20)
        for task in self.page.tasks:
            self.assertTrue(0 < task["made"] <= task["begun"] < task["ended"], task)
            self.assertIn("chained", self.page.labels[task["label"]][0])
        self.assertEqual(sorted(self.page.edges), [(i, i + 1) for i in range(1, 10)])
        for before, after in self.page.edges:
            self.assertLessEqual(self.page.tasks[before - 1]["ended"], self.page.tasks[after - 1]["begun"])
        # Those of a machine that others use too take longer.
        self.assertGreater(self.page.time("chained", doing="tasks"), 14)

    def test_tasks_of_two_regions(self):
        # They name the same address, and are no siblings.
        page, _ = page_of("twice")
        self.assertEqual(len(page.tasks), 40)
        self.assertEqual(sorted(page.edges), [(i, i + 1) for first in (1, 21) for i in range(first, first + 9)])

    @staticmethod
    def late_ones(page, text):
        """What was ready to run for long while the worker that took it up then ran others: by lanes."""
        found = {}
        for number, lane in enumerate(page.lanes):
            for span, then in zip(lane["spans"], lane["spans"][1:]):
                if not span["text"].startswith(text) or span["end"] - span["begin"] < 8e6:
                    continue
                work = [other for at, spans in enumerate(page.lanes) if at != number for other in spans["spans"]
                        if other["worker"] == then["worker"] and other["doing"] == "work in regions"]
                busy = sum(max(min(other["end"], span["end"]) - max(other["begin"], span["begin"]), 0) for other in work)
                if busy > 0.8 * (span["end"] - span["begin"]):
                    found[number] = span
        return found

    def test_ready_and_not_running(self):
        # Each worker has two threads, of which the second is late. Not where the last one to come loses its core amid the
        # barrier, on a busy machine: who polls for it goes on, and the others are not ready before it goes on itself.
        for _ in range(10):
            page, _ = page_of("crowd", TULLE_MONITOR_TICK="1s")  # no spare comes for who waits behind a long computation
            begins = self.late_ones(page, "ready to begin crowded")
            late = self.late_ones(page, "ready after barrier at crowded")
            if len(begins) == 2 and len(late) == 2:
                break
        else:
            self.fail((begins, late))
        after = list(late.values())
        self.assertEqual({span["doing"] for span in after + list(begins.values())}, {"ready, not running"})
        # They are ready from when the last one has come to the barrier, and wait before.
        waits = page.spans("barrier at crowded", doing="waits at barriers")
        self.assertLess(min(span["begin"] for span in waits) + 15e6, min(span["begin"] for span in after))
        # The first tasks begin at once, the last ones when others have ended.
        ready_for = sorted(task["begun"] - task["ready"] for task in page.tasks)
        self.assertLess(ready_for[0], 8e6)
        self.assertGreater(ready_for[-1], 15e6)
        for task in page.tasks:
            self.assertEqual(task["ready"], task["made"])

    def test_tasks_that_follow_are_ready_later(self):
        after = 0
        for before, follower in self.page.edges:
            ended, task = self.page.tasks[before - 1]["ended"], self.page.tasks[follower - 1]
            self.assertTrue(ended <= task["ready"] <= task["begun"], task)
            after += ended < task["ready"]
        self.assertGreater(after, 0)  # the runtime says when; else it would be the same moment

    def test_league(self):
        page, _ = page_of("teams")
        spans = page.spans("league", doing="work in regions")
        self.assertEqual(len(spans), 3)
        self.assertGreater(min(span["end"] - span["begin"] for span in spans), 3.5e6)

    def test_target(self):
        page, _ = page_of("target")
        ran = [[span for span in lane["spans"] if span["end"] - span["begin"] > 2e6 and "target" in span["text"] and
                span["doing"] in ("tasks", "work in regions")] for lane in page.lanes]
        whole, = [spans for spans in ran if any(span["doing"] == "tasks" for span in spans)]
        shown = [(span["doing"], span["text"] if span["text"] == "target region" else "") for span in whole]
        # Clang's code calls the region without a word.
        before = [("work in regions", "target region")] if "/gcc/" in PROGRAM else [("tasks", "")]
        self.assertEqual(shown[:2], before + [("work in regions", "")], whole)
        self.assertEqual((shown[-1], whole[-1]["task"]), (("tasks", ""), 1), whole)
        self.assertEqual(len([lane for lane in page.lanes if "initial" in lane["name"]]), 1)
        self.assertTrue(all("target (parts.c:" in span["text"] for span in whole if span["text"] != "target region"))

    def test_forked_child(self):
        self.assertEqual(len(self.page.processes), 2)
        self.assertEqual(self.page.time("forked", process=0), 0)
        child = self.page.spans("forked", doing="work in regions", process=1)
        self.assertGreater(sum(span["end"] - span["begin"] for span in child), 9e6)
        nested = self.page.spans("nested", doing="work in regions")
        self.assertGreater(min(span["begin"] for span in child), max(span["end"] for span in nested))


class Forms(unittest.TestCase):
    def written(self, option):
        done = traced.run(TULLE, "-t", "2", option, "-o", "-", "--", PROGRAM)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_perfetto(self):
        events = json.loads(self.written("--perfetto"))["traceEvents"]
        names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
        spans = [event for event in events if event["ph"] == "X"]
        self.assertLessEqual({(span["pid"], span["tid"]) for span in spans}, set(names))
        waits = [span for span in spans if span["cat"] == "waits at barriers" and "barrier at uneven" in span["name"]]
        # One that began late waited for less.
        late = sum(span["dur"] for span in spans if span["name"].startswith("ready to begin uneven"))
        self.assertGreater(max(span["dur"] for span in waits) + late, 25000)
        begins, ends = ({event["id"]: event for event in events if event["ph"] == kind} for kind in "sf")
        self.assertEqual(set(begins), set(ends))
        self.assertEqual(sorted(begin["name"] for begin in begins.values()), ["dependence"] * 9 + ["task"] * 20)
        for number, begin in begins.items():
            self.assertLessEqual(begin["ts"], ends[number]["ts"])
        counts = [event["args"]["tasks"] for event in events if event["ph"] == "C"]
        self.assertEqual((len(counts), min(counts), counts[-1]), (40, 0, 0))

    @unittest.skipUnless(OTF2_PRINT and (Path(TULLE).parent.parent / "lib" / "libtulle-otf2.so").exists(),
                         "no otf2-print, or Tulle was built without OTF2")
    def test_otf2(self):
        with tempfile.TemporaryDirectory() as above:
            folder = Path(above) / "archive"
            done = traced.run(TULLE, "-t", "2", "--otf2", "-o", folder, "--", PROGRAM)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            said = subprocess.run([OTF2_PRINT, folder / "traces.otf2"], capture_output=True, text=True, timeout=60, check=True)
            again = traced.run(TULLE, "--otf2", "-o", folder, "--", PROGRAM)
        self.assertEqual(said.stderr, "")
        lines = said.stdout.splitlines()
        for event in "CREATE", "COMPLETE":
            self.assertEqual(sum(line.startswith(f"THREAD_TASK_{event}") for line in lines), 20)
        inside = {}  # what each location is in
        waited = set()  # locations; a wait may be told of in parts
        for line in lines:
            event, where = line.split()[:2] if line.startswith(("ENTER", "LEAVE")) else ("", "")
            if event == "ENTER":
                self.assertIsNone(inside.get(where))
                inside[where] = line.split("Region: ")[1]
                if inside[where].startswith('"barrier at uneven'):
                    waited.add(where)
            elif event == "LEAVE":
                self.assertEqual(inside.pop(where), line.split("Region: ")[1])
        self.assertEqual(inside, {})
        self.assertEqual(len(waited), 2)
        self.assertEqual((again.returncode, again.stderr), (125, f"tulle: --otf2: {folder} is there already\n"))

    def test_svg(self):
        root = xml.etree.ElementTree.fromstring(self.written("--svg"))
        names = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"worker 0", "worker 1", "waits at barriers"}, names)
        titles = {title.text for title in root.iter("{http://www.w3.org/2000/svg}title")}
        # One that begins late may not wait.
        self.assertTrue(any(title.startswith(("waits at barriers: barrier at uneven",
                                              "ready, not running: ready to begin uneven")) for title in titles), titles)
        self.assertEqual(len(list(root.iter("{http://www.w3.org/2000/svg}line"))), 29)


class Ends(unittest.TestCase):
    def test_killed(self):
        page, done = page_of("killed")
        self.assertEqual(done.returncode, -9)
        self.assertEqual(len([task for task in page.tasks if task["ended"] != 0]), 20)
        self.assertEqual(page.spans("nested"), [])

    def test_no_room(self):
        page, done = page_of("many", "40000", options=("-t", "2", "--size", "1"))
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 1))
        self.assertIn("more events than there was room for", done.stderr)
        self.assertTrue(10000 < len(page.tasks) < 40020, len(page.tasks))
        page, done = page_of("many", "40000")
        self.assertEqual((done.stderr, len(page.tasks)), ("", 40020))

    def test_last_seconds(self):
        # What comes before the sleep is older than that, and the child's region is the last thing of all, on a busy
        # machine too.
        page, done = page_of("many", "200000", "2.5", options=("-t", "2", "--size", "1", "--last", "2"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(page.data["duration"], 2e9)
        self.assertLessEqual(max(span["end"] for span in page.spans()), 2e9)
        self.assertEqual(len(page.processes), 2)
        self.assertGreater(len(page.spans("forked", process=1)), 0)
        self.assertGreater(len(page.tasks), 1000)
        for part in "uneven", "locked", "chained":
            self.assertEqual(page.spans(part), [])

    def watched(self, *options):
        """`tulle trace` of a program that does not end, which the caller ends."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "page.html"
        process = subprocess.Popen([TULLE, "trace", "-t", "2", *options, "-o", file, "--", PROGRAM, "stuck"],
                                   env=traced.ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)  # is passed on
        return process, file

    def check_stuck(self, file):
        page = Page(file)
        last = [lane["spans"][-1] for lane in page.lanes if lane["spans"] and "stuck" in lane["spans"][-1]["text"]]
        self.assertEqual([span["text"].split(" at ")[0] for span in last], ["lock", "lock"])
        self.assertEqual(len({span["end"] for span in last}), 1)
        return last

    def test_standstill(self):
        process, file = self.watched("--last", "10", "--standstill", "0.5")
        self.assertIn("nothing has happened for 0.5 s", process.stderr.readline())
        for span in self.check_stuck(file):  # they wait until the picture is made
            self.assertGreater(span["end"] - span["begin"], 0.3e9)

    def test_signal(self):
        process, file = self.watched()
        for last in range(1, 11):  # until it has come so far
            time.sleep(1)
            process.send_signal(signal.SIGUSR1)
            self.assertIn("was asked for", process.stderr.readline())
            if last == 10 or sum("lock at stuck" in span["text"] for span in Page(file).spans()) == 2:
                break
        self.check_stuck(file)
        self.assertIsNone(process.poll())

    def test_records_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = traced.run(TULLE, "--records", folder, "-o", "-", PROGRAM)
            again = traced.run(TULLE, "--read", folder, "-o", "-")
            self.assertEqual(first.stdout, again.stdout)
            (Path(folder) / "1.0.trace").write_text("something else")
            broken = traced.run(TULLE, "--read", folder, "-o", "-")
            self.assertEqual(broken.returncode, 125)
            self.assertIn("1.0.trace: not a trace", broken.stderr)

    def test_bad_input(self):
        for words, status, line in ((["/no/such/program"], 127, "/no/such/program"), ([], 125, "no program"),
                                    (["--no-such-option", "true"], 125, "no-such-option"),
                                    (["--size", "0", "true"], 125, "--size"),
                                    (["--svg", "--otf2", "true"], 125, "--svg excludes --otf2"),
                                    (["-o", "/no/such/folder/x.html", PROGRAM], 125, "/no/such/folder/x.html"),
                                    (["--read", "/no/such/folder"], 125, "/no/such/folder"),
                                    (["true"], 0, "no process called an OpenMP runtime")):
            done = traced.run(TULLE, *words)
            self.assertEqual(done.returncode, status, words)
            self.assertIn(line, done.stderr)
            self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
