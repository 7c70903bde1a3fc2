# SPDX-License-Identifier: Apache-2.0
"""The corpus's harness notices another answer, a crash, a program without an end and one that Tulle does not serve,
compares numbers as closely as it is told, and counts OS threads and memory.
usage: harness_test.py TULLE"""
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "bench")]

import measure  # noqa: E402
import page  # noqa: E402
import situations  # noqa: E402
from program import Program, is_same  # noqa: E402

TULLE = Path(sys.argv.pop(1)).resolve()
TWO = situations.SITUATIONS[0]
UNDER_TULLE = '[ -n "$LD_PRELOAD" ]'


def hold(script: str, limit_s: float = 30.0, situation=TWO) -> dict:
    program = Program("script", ["sh", "-c", script], "")
    with tempfile.TemporaryDirectory() as folder:
        return situations.hold(program, situation, Path(folder), "1\n", TULLE, rounds=2, nice=0, limit_s=limit_s)


class Faults(unittest.TestCase):
    def test_the_same_answer(self):
        found = hold("echo 1")
        self.assertNotIn("wrong", found)
        self.assertEqual(len(found["tulle"]["samples"]), 2)

    def test_another_answer(self):
        self.assertEqual(hold(f"if {UNDER_TULLE}; then echo 2; else echo 1; fi")["wrong"], "another answer under Tulle")

    def test_a_crash(self):
        self.assertEqual(hold(f"{UNDER_TULLE} && kill -SEGV $$; echo 1")["wrong"], "SIGSEGV under Tulle")

    def test_an_exit_status(self):
        self.assertEqual(hold(f"echo 1; {UNDER_TULLE} && exit 3; true")["wrong"], "exit status 3 under Tulle")

    def test_no_end(self):
        self.assertEqual(hold(f"{UNDER_TULLE} && sleep 60; echo 1", 1.0)["wrong"], "no end under Tulle")

    def test_one_of_four_is_wrong(self):
        four = situations.SITUATIONS[2]
        found = hold('case "$PWD" in */3) echo 2;; *) echo 1;; esac', situation=four)
        self.assertEqual(found["wrong"], "another answer under its own runtime")

    def test_who_served(self):
        self.assertTrue(situations.served(["", "tulle: xtb ran on Tulle\n"]))
        self.assertFalse(situations.served(["tulle: sh called no OpenMP runtime\n"]))


class Answers(unittest.TestCase):
    def test_numbers(self):
        self.assertTrue(is_same("E = -1.0000001e+02 eV", "E = -1.00000e+2 eV", 1e-6))
        self.assertFalse(is_same("E = -1.0001e+02 eV", "E = -1.00000e+2 eV", 1e-6))
        self.assertFalse(is_same("E = -1.0000001e+02 eV", "E = -1.00000e+2 eV", 0.0))

    def test_text_is_compared_whole(self):
        self.assertFalse(is_same("a 1", "b 1", 1e-3))
        self.assertFalse(is_same("1 2", "1 2 3", 1e-3))
        self.assertFalse(is_same("1 nan", "1 2", 1e-3))


class Measures(unittest.TestCase):
    def run_script(self, script: str, **options) -> measure.Run:
        with tempfile.TemporaryDirectory() as folder:
            return measure.measure([sys.executable, "-c", script], {"PATH": "/usr/bin:/bin"}, Path(folder),
                                   lambda output, _: output, **options)

    def test_os_threads_of_children_count(self):
        threads = "import threading,time;[threading.Thread(target=time.sleep,args=(0.5,)).start() for _ in range(5)]"
        run = self.run_script(f"import subprocess,sys; subprocess.run([sys.executable, '-c', '{threads}'])", watch=True)
        self.assertGreaterEqual(run.os_threads, 6)

    def test_memory_and_cpu_time(self):
        run = self.run_script("import time; x = bytearray(90_000_000); time.sleep(0.2)\n"
                              "while time.process_time() < 0.4: pass", watch=True)
        self.assertGreater(run.peak_kib, 80_000)
        self.assertLess(run.peak_kib, 200_000)
        self.assertGreater(run.cpu_seconds, 0.35)

    @unittest.skipUnless(measure.can_limit(), "no control groups")
    def test_a_quota_holds(self):
        with measure.quota(0.25) as group:
            run = self.run_script("import time\nwhile time.process_time() < 0.4: pass", group=group)
        self.assertGreater(run.seconds, 1.0)


class Page(unittest.TestCase):
    def test_faults_and_ratios_stand_in_the_table(self):
        def kept(seconds):
            return {"seconds": seconds, "cpu_seconds": 1.0, "peak_kib": 2048, "os_threads": 3, "samples": [seconds],
                    "cpu_samples": [1.0]}
        found = {"name": "p", "about": "counts", "version": "1", "source": "Debian", "tolerance": 0.0, "wrong": "",
                 "situations": {"2 threads": {"own": kept(2.0), "tulle": kept(1.0), "others": 0.5},
                                "four at once": {"wrong": "SIGSEGV under Tulle"}},
                 "date": "2026-01-01T00:00", "machine": {"cores": 2, "processor": "x"}}
        text = page.text([found])
        self.assertIn("| p 1 | counts | **SIGSEGV under Tulle (four at once)** | 0.50 |", text)
        self.assertNotIn("@", text)


if __name__ == "__main__":
    unittest.main()
