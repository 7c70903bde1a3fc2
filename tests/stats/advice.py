# SPDX-License-Identifier: Apache-2.0
"""The first advice for each program names its fault and the place; programs without one get none.

usage: advice.py TULLE PROGRAMS_FOLDER
"""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "programs" / "corpus"))
import measure  # noqa: E402
from stats import SHORT_PROGRAM_TRIES, is_so, stats  # noqa: E402

TULLE, FOLDER = sys.argv[1], Path(sys.argv[2])
# What is to be named, and whether the advice says where.
FAULTS = {
    "imbalance": ("imbalance", True),
    "fine_tasks": ("fine-tasks", True),
    "critical": ("lock", True),
    "oversubscribed": ("oversubscribed", True),
    "spinning": ("spinning", True),
    "schedule": ("schedule", True),
    "serial": ("serial", False),
    "dependences": ("dependences", True),
}


class Advice(unittest.TestCase):
    def first_is(self, fault, *program, place=None, before=None):
        def wrong():
            told, _ = stats(TULLE, *program, before=before)
            advice = told["advice"]
            if not advice or advice[0]["fault"] != fault:
                return f"not {fault}: {advice}"
            if place is not None and place not in advice[0]["text"]:
                return f"no {place}: {advice[0]}"
            return None
        self.assertIsNone(is_so(wrong, tries=SHORT_PROGRAM_TRIES))

    def test_each_fault_is_named(self):
        for program, (fault, has_place) in FAULTS.items():
            with self.subTest(program):
                self.first_is(fault, FOLDER / program, place=f"{program}.c:" if has_place else None)

    def test_nothing_stands_out(self):
        for program in "even", "coarse_calls", "short_tasks":
            def wrong():
                for _ in range(SHORT_PROGRAM_TRIES):
                    told, _ = stats(TULLE, FOLDER / program)
                    process, = told["processes"]
                    # Where others take its cores its threads are unequal indeed: by the clock, which the page goes by.
                    if process["cpu_time"] > 0.8 * process["usable_cpus"] * process["elapsed"]:
                        break
                return told["advice"] or None
            with self.subTest(program):
                self.assertIsNone(is_so(wrong))

    def test_sleep_is_no_work(self):
        told, _ = stats(TULLE, FOLDER / "sleeping")
        text, = (advice["text"] for advice in told["advice"] if advice["fault"] == "serial")
        self.assertIn("it had a core for", text)

    @unittest.skipUnless(measure.can_limit(), "no control groups")
    def test_quota(self):
        with measure.quota(0.15) as group:
            self.first_is("quota", FOLDER / "even", before=lambda: group.write_text(str(os.getpid())))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
