# SPDX-License-Identifier: Apache-2.0
"""What the page says, by number; the forms that it comes in; and what `tulle stats` does with bad input.

usage: page.py TULLE PROGRAMS_FOLDER
"""
import html.parser
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from stats import SHORT_PROGRAM_TRIES, is_so
from stats import stats as some_stats

TULLE, FOLDER = sys.argv[1], Path(sys.argv[2])


def run(*words, **options):
    return subprocess.run([TULLE, "stats", *map(str, words)], capture_output=True, text=True, timeout=120, **options)


def stats(*words, **settings):
    """Of all that the program does."""
    return some_stats(*words, options=("-t", "2", "--all"), settings=settings)


class Tags(html.parser.HTMLParser):
    """Open elements, and what the page would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.count = [], [], 0

    def handle_starttag(self, tag, attributes):
        self.count += tag == "rect"
        self.fetched += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Page(unittest.TestCase):
    def test_numbers(self):
        told, done = stats(TULLE, FOLDER / "dependences")
        self.assertEqual(done.returncode, 0)
        process, = told["processes"]
        region, = process["regions"]
        self.assertEqual((region["times"], region["largest_team"], region["members"]), (1, 2, 2))
        task, = process["tasks"]
        self.assertEqual((task["tasks"], task["ended"], task["dependent"]), (400, 400, 400))
        self.assertEqual(sum(length["tasks"] for length in task["lengths"]), 400)
        self.assertEqual(task["region"], region["number"])
        self.assertGreater(task["work"], 0.5 * region["thread_time"]["work"])
        # All that two threads did from the region's begin to its end, but for what it takes to begin.
        self.assertAlmostEqual(sum(region["thread_time"].values()) / (2 * region["time"]), 1, delta=0.3)
        self.assertLessEqual(region["time"], process["elapsed"])

    def test_locks_and_loops(self):
        told, _ = stats(TULLE, FOLDER / "critical")
        lock, = told["processes"][0]["locks"]
        self.assertEqual(lock["times"], 4000)
        self.assertGreater(lock["held"], 4000 * 1000)
        told, _ = stats(TULLE, FOLDER / "schedule")
        loop, = told["processes"][0]["loops"]
        self.assertEqual((round(loop["times"]), loop["chunk"], round(loop["iterations"])), (20, 1, 20 << 20))

    def test_cost_is_bounded(self):
        told, _ = some_stats(TULLE, FOLDER / "fine_tasks")
        process, = told["processes"]
        made = sum(task["tasks"] for task in process["tasks"])
        self.assertLess(process["watched"], process["elapsed"])
        self.assertTrue(1000 < made < 242784, made)  # how long the others took depends on what else the machine does
        region, = process["regions"]  # goes on when that is over, and counts until then
        self.assertEqual(region["times"], 1)
        self.assertIn(region["members"], (1, 2))  # on a busy machine the second one begins when that is over
        self.assertLess(region["time"], process["watched"])
        told, _ = stats(TULLE, FOLDER / "fine_tasks")
        process, = told["processes"]
        self.assertEqual(sum(task["tasks"] for task in process["tasks"]), 242784)
        self.assertGreater(process["watched"], 0.9 * process["elapsed"])

    def test_waits_that_are_no_work(self):
        def wrong_with_waits():
            told, _ = stats(TULLE, FOLDER / "waits", TULLE_DEVICES="process:1")
            process, = told["processes"]
            self.assertEqual([lock["times"] for lock in process["locks"] if lock["kind"] == 7], [30])  # ompt_mutex_ordered
            spent = {region["place"].split(" ")[0]: region["thread_time"] for region in process["regions"]}
            # Turns were timed before, when the machine may have been slower. A wait that lasts goes over to the C library.
            # Clang's code has the host run what it made no device code for.
            waited = spent["waiting"]["other"] > 5e6 and spent["in_order"]["locks"] > 15e6
            offloaded = FOLDER.name != "gcc" or spent["offloading"]["devices"] > 20e6
            return None if process["blocked"] > 50e6 and waited and offloaded else (process["blocked"], spent)

        self.assertIsNone(is_so(wrong_with_waits, SHORT_PROGRAM_TRIES))

    def test_nested_teams(self):
        told, _ = stats(TULLE, FOLDER / "oversubscribed")
        inner, outer = sorted(told["processes"][0]["regions"], key=lambda one: one["times"], reverse=True)
        self.assertEqual((inner["times"], inner["members"], inner["region"]), (2400, 19200, outer["number"]))
        self.assertEqual(outer["members"], 8)

    def test_ready_and_not_running(self):
        def wrong_with_more_members_than_workers():
            told, _ = stats(TULLE, FOLDER / "oversubscribed")
            outer = min(told["processes"][0]["regions"], key=lambda one: one["times"])
            # Eight threads on two workers: each but the first two begins when another has ended. Where a worker
            # has no core for a while, joins of the inner regions wait for it, and others begin meanwhile.
            time = outer["thread_time"]
            return time if time["ready"] <= 0.2 * sum(time.values()) else None

        def wrong_with_a_worker_each():
            told, _ = stats(TULLE, FOLDER / "even")
            time = told["processes"][0]["regions"][0]["thread_time"]
            return time if time["ready"] >= 0.3 * sum(time.values()) else None

        def wrong_with_tasks():
            # Most of the time from its making to its begin a task waits for others, and is not ready.
            told, _ = stats(TULLE, FOLDER / "dependences")
            process, = told["processes"]
            task, = process["tasks"]
            return task if not 0 < task["ready"] / task["ended"] < 0.1 * process["regions"][0]["time"] else None

        for wrong in wrong_with_more_members_than_workers, wrong_with_a_worker_each, wrong_with_tasks:
            with self.subTest(wrong.__name__):
                self.assertIsNone(is_so(wrong, tries=SHORT_PROGRAM_TRIES))

    def test_text(self):
        done = run("-t", "2", FOLDER / "imbalance")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        for word in "parallel efficiency", "imbalance.c:", "Regions", "Advice":
            self.assertIn(word, done.stderr)
        self.assertLessEqual(max(map(len, done.stderr.splitlines()[2:])), 110)

    def test_html_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            done = run("-t", "2", "--html", "-o", file, FOLDER / "fine_tasks")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            tags = Tags()
            tags.feed(file.read_text())
            self.assertEqual((tags.open, tags.fetched), ([], []))
            self.assertGreater(tags.count, 5)

    def test_records_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = run("--records", folder, "--json", "-o", "-", FOLDER / "even")
            again = run("--read", folder, "--json", "-o", "-")
            self.assertEqual(json.loads(first.stdout), json.loads(again.stdout))

    def test_ends_as_the_program_does(self):
        done = run("sh", "-c", f"{FOLDER / 'even'}; exit 7")
        self.assertEqual(done.returncode, 7)
        self.assertIn("Regions", done.stderr)
        self.assertEqual(run("sh", "-c", "kill -9 $$").returncode, -9)

    def test_bad_input(self):
        for words, status, line in ((["/no/such/program"], 127, "/no/such/program"), ([], 125, "no program"),
                                    (["--no-such-option", "true"], 125, "no-such-option"),
                                    (["--read", "/no/such/folder"], 125, "/no/such/folder"),
                                    (["true"], 0, "no process that called an OpenMP runtime")):
            done = run(*words)
            self.assertEqual(done.returncode, status, words)
            self.assertIn(line, done.stderr)
            self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
