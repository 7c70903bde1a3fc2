# SPDX-License-Identifier: Apache-2.0
"""`tulle why-stuck` names deliberate deadlocks rightly, in a process, from its core and by `tulle doctor`.

usage: stuck.py GDB TULLE RUNTIME_DIR PROGRAMS_FOLDER [MPI_PROGRAM]
"""
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

GDB, TULLE, RUNTIME, FOLDER = sys.argv[1:5]
MPI_PROGRAM = sys.argv[5] if len(sys.argv) > 5 else None
EXTENSION = Path(RUNTIME) / "libgomp-tulle.so.1.0-gdb.py"
THREAD = r"thread \d of \d, level 1"
VERDICTS = {
    "two_locks": rf"^Circle: {THREAD} waits for the lock (one|other), which {THREAD} alone can hold; "
                 rf"{THREAD} waits for the lock (one|other), which {THREAD} alone can hold\.$",
    "missed_barrier": r"^Stuck: thread 2 of 4, level 1 will not come to the barrier at meet \(missed_barrier\.c:6\)\.$",
    "own_dependence": r"^Stuck: tasks wait by dependences for tasks that do not end: .*event \(detach\)",
    "barrier_in_critical": rf"^Circle: .*{THREAD} waits for (a barrier|the critical section section), which",
    "going_on": r"^Not stuck as far as can be seen: a thread runs\.$",
}
SECONDS = 5


def commands(*lines):
    return [part for line in lines for part in ("-ex", line)]


def gdb(*words):
    done = subprocess.run([GDB, "-nx", "-batch", "-iex", "set auto-load off", *words], capture_output=True, text=True,
                          timeout=120, env=dict(os.environ, DEBUGINFOD_URLS=""))
    return done.stdout + done.stderr


def is_still(process):
    """Its OS threads have used no time for a while; or so much that it will not come to rest."""
    def used():
        return [Path(task, "stat").read_text().rsplit(")")[-1].split()[11:13] for task in
                Path(f"/proc/{process}/task").iterdir()]
    before = used()
    time.sleep(0.3)
    return used() == before


class Stuck(unittest.TestCase):
    def start(self, *words, rests=True):
        process = subprocess.Popen(words, env=dict(os.environ, LD_LIBRARY_PATH=RUNTIME), stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.time() + SECONDS
        time.sleep(0.3)
        while rests and time.time() < end and not is_still(process.pid):
            pass
        if not rests:
            time.sleep(0.7)
        self.assertIsNone(process.poll(), "the program has ended")
        return process

    def test_in_a_process(self):
        for program, verdict in VERDICTS.items():
            with self.subTest(program):
                process = self.start(FOLDER + "/" + program, rests=program != "going_on")
                said = gdb("-p", str(process.pid), *commands(f"source {EXTENSION}", "tulle why-stuck"))
                self.assertRegex(said, re.compile(verdict, re.M))
                self.assertNotIn("Traceback", said)
                self.assertNotIn("Error", said)

    def test_commands(self):
        process = self.start(FOLDER + "/two_locks")
        said = gdb("-p", str(process.pid), *commands(f"source {EXTENSION}", "tulle threads", "tulle locks", "tulle tasks"))
        for number in 0, 1:
            self.assertRegex(said, rf"(?m)^thread {number} of 2, level 1, record 0x\w+: waits for the lock \w+, at "
                                   r"take_both \(two_locks\.c:13\)$")
        self.assertIn("2 with waiters", said)
        self.assertIn("0 begun, 0 waiting for others", said)

    def test_from_a_core(self):
        process = self.start(FOLDER + "/two_locks")
        with tempfile.TemporaryDirectory() as folder:
            core = folder + "/core"
            gdb("-p", str(process.pid), *commands(f"generate-core-file {core}"))
            said = gdb(FOLDER + "/two_locks", core, *commands(f"source {EXTENSION}", "tulle why-stuck"))
        self.assertRegex(said, re.compile(VERDICTS["two_locks"], re.M))

    def test_doctor(self):
        process = self.start(FOLDER + "/missed_barrier")
        said = subprocess.run([TULLE, "doctor", str(process.pid)], capture_output=True, text=True, timeout=120)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertRegex(said.stdout, re.compile(VERDICTS["missed_barrier"], re.M))
        self.assertIn("libgomp-tulle.so.1.0", said.stdout)
        self.assertRegex(said.stdout, r"\d+ OS threads: ")
        process = self.start("/bin/sleep", "60")
        said = subprocess.run([TULLE, "doctor", str(process.pid)], capture_output=True, text=True, timeout=120)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("Tulle is not loaded", said.stdout)

    def test_bad_input(self):
        for word, status, line in (("4194305", 1, "no such process"), ("x", 2, "not the number"), ("", 2, "not the number")):
            said = subprocess.run([TULLE, "doctor", word], capture_output=True, text=True, timeout=60)
            self.assertEqual((said.returncode, said.stdout), (status, ""), word)
            self.assertIn(line, said.stderr)
            self.assertEqual(len(said.stderr.splitlines()), 1)

    @unittest.skipIf(MPI_PROGRAM is None, "no MPI")
    def test_a_message_that_never_comes(self):
        process = self.start(TULLE, "run", "--", MPI_PROGRAM, rests=False)
        time.sleep(1)
        said = gdb("-p", str(process.pid), *commands(f"source {EXTENSION}", "tulle why-stuck"))
        self.assertRegex(said, r"(?m)^Stuck: thread \d of 2, level 1 waits in MPI_Recv, at main \(lost_message\.c:\d+\)\.$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
