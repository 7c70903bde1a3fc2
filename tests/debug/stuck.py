# SPDX-License-Identifier: Apache-2.0
"""`tulle why-stuck` names deliberate deadlocks rightly, in a process, from its core and by `tulle doctor`.

usage: stuck.py GDB TULLE RUNTIME_DIR PROGRAMS_FOLDER COMPILER...   # programs are FOLDER/COMPILER/NAME
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

GDB, TULLE, RUNTIME, FOLDER = sys.argv[1:5]
COMPILERS = sys.argv[5:]
EXTENSION = Path(RUNTIME) / "libgomp-tulle.so.1.0-gdb.py"
THREAD = r"thread \d of \d, level 1"
TASK = r"a task of (main \()?\w+\.c:\d+\)?"
VERDICTS = {
    "two_locks": rf"^Circle: {THREAD} waits for the lock (one|other), which {THREAD} alone can hold; "
                 rf"{THREAD} waits for the lock (one|other), which {THREAD} alone can hold\.$",
    "missed_barrier": r"^Stuck: thread 2 of 4, level 1 will not come to the barrier at (meet|main) \(missed_barrier\.c:\d+\)\.$",
    "own_dependence": rf"^Perhaps a circle: {TASK} waits by dependences for {TASK}, which has ended but for its event \(detach\); "
                      r"that event is among the data of the first\.$",
    "lost_event": rf"^Stuck: {THREAD} waits by dependences for {TASK}, which has ended, but nobody has fulfilled its event",
    "barrier_in_critical": rf"^Circle: .*{THREAD} waits for (a barrier|the critical section section), which",
    "lost_message": rf"^Stuck: {THREAD} waits in MPI_Recv, at main \(lost_message\.c:\d+\)\.$",
    "going_on": r"^Not stuck as far as can be seen: a thread runs\.$",
}
NEVER_REST = "going_on", "lost_message"  # asked again until they have come to where they stay
SECONDS = 60


def commands(*lines):
    return [part for line in lines for part in ("-ex", line)]


def gdb(*words):
    done = subprocess.run([GDB, "-nx", "-batch", "-iex", "set auto-load off", *words], capture_output=True, text=True,
                          timeout=120, env=dict(os.environ, DEBUGINFOD_URLS=""))
    return done.stdout + done.stderr


def sleeps(process):
    """How often each of its OS threads but the monitor has slept so far; nothing while one runs, or could, or waits for a
    disk."""
    found = {}
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            status = dict(line.split(":\t", 1) for line in Path(task, "status").read_text().splitlines())
            if status["Name"] == "tulle monitor":
                continue
            if not status["State"].startswith("S"):
                return {}
            found[task.name] = status["voluntary_ctxt_switches"]
    except OSError:  # one has ended meanwhile
        return {}
    return found


def rests(process):
    before = sleeps(process)
    time.sleep(0.3)
    return before and sleeps(process) == before


class Stuck(unittest.TestCase):
    def start(self, *words, comes_to_rest=True):
        process = subprocess.Popen(words, env=dict(os.environ, LD_LIBRARY_PATH=RUNTIME), stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.time() + SECONDS
        while comes_to_rest and time.time() < end and not rests(process.pid):
            pass
        self.assertIsNone(process.poll(), "the program has ended")
        return process

    def ask(self, program, process, *lines):
        """What gdb says of it; where it never rests, at the latest what it says when it has had its time."""
        end = time.time() + SECONDS
        while True:
            said = gdb("-p", str(process.pid), *commands(*lines))
            if program not in NEVER_REST or re.search(VERDICTS[program], said, re.M) or time.time() > end:
                return said
            time.sleep(0.3)

    def assertNames(self, said, program):
        self.assertRegex(said, re.compile(VERDICTS[program], re.M))
        self.assertNotIn("Traceback", said)
        self.assertNotIn("Error", said)
        self.assertNotIn("at ?", said)

    def test_verdicts(self):
        """In the process, from its core, and from outside."""
        for compiler, program in itertools.product(COMPILERS, VERDICTS):
            path = Path(FOLDER, compiler, program)
            if not path.exists():  # of the MPIs: the message alone, by one process; no message without MPI
                continue
            with self.subTest(path), tempfile.TemporaryDirectory() as folder:
                start = (TULLE, "run", "--") if program == "lost_message" else ()
                process = self.start(*start, str(path), comes_to_rest=program not in NEVER_REST)
                why = f"source {EXTENSION}", "tulle why-stuck"
                core = folder + "/core"
                self.assertNames(self.ask(program, process, *why, f"generate-core-file {core}"), program)
                self.assertNames(gdb(str(path), core, *commands(*why)), program)
                said = subprocess.run([TULLE, "doctor", str(process.pid)], capture_output=True, text=True, timeout=120)
                self.assertEqual((said.returncode, said.stderr), (0, ""))
                self.assertNames(said.stdout, program)
                self.assertIn("libgomp-tulle.so.1.0", said.stdout)
                self.assertRegex(said.stdout, r"\d+ OS threads: ")
                process.kill()
                process.wait()

    def test_commands(self):
        process = self.start(FOLDER + "/gcc/two_locks")
        said = gdb("-p", str(process.pid), *commands(f"source {EXTENSION}", "tulle threads", "tulle locks", "tulle tasks"))
        for number in 0, 1:
            self.assertRegex(said, rf"(?m)^thread {number} of 2, level 1, record 0x\w+: waits for the lock \w+, at "
                                   r"take_both \(two_locks\.c:13\)$")
        self.assertIn("2 with waiters", said)
        self.assertIn("0 begun, 0 waiting for others", said)

    def test_tasks(self):
        process = self.start(FOLDER + "/gcc/own_dependence")
        said = gdb("-p", str(process.pid), *commands(f"source {EXTENSION}", "tulle tasks"))
        self.assertRegex(said, r"(?m)^task 0x\w+, a task of main \(own_dependence\.c:13\): has not begun, waits for 1 other by "
                               r"dependences$")
        self.assertIn("0 begun, 1 waiting for others", said)

    def test_before_the_library_is_loaded(self):
        for command in "ults", "threads", "tasks", "locks", "why-stuck":
            said = gdb(*commands("starti", f"source {EXTENSION}", f"tulle {command}"), FOLDER + "/gcc/two_locks")
            self.assertIn("is its library loaded yet?", said.lower(), command)
            self.assertNotIn("Python Exception", said, command)

    def test_doctor_names_what_is_not_reached(self):
        folder = Path(FOLDER).parent / "named"
        names = ("libgomp-0123abcd.so.1.0.0", "libscipy_openblas64_-0123.so", "openblas-pthread/libblas.so.3",
                 "blis-openmp/libblas.so.3", "libblas.so.3", "libtbb.so.12")
        process = subprocess.Popen([str(Path(FOLDER).parent / "loads"), *(str(folder / name) for name in names)],
                                   env=dict(os.environ, LD_LIBRARY_PATH=RUNTIME), stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        said = subprocess.run([TULLE, "doctor", str(process.pid)], capture_output=True, text=True, timeout=120)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        own, openmp = "threads of its own, if any, are not reached", "its threads are OpenMP's"
        for name, what, threads in (
                ("libscipy_openblas64_-0123.so", "OpenBLAS",
                 "its threads are those of libgomp-0123abcd.so.1.0.0, which is not reached"),
                ("openblas-pthread/libblas.so.3", "OpenBLAS", own), ("blis-openmp/libblas.so.3", "BLIS", openmp),
                ("libblas.so.3", "reference BLAS", own), ("libtbb.so.12", "oneTBB", own)):
            self.assertIn(f"  {what} {folder / name}: {threads}\n", said.stdout)
        self.assertIn(f"OpenMP runtime {folder / names[0]}: loaded beside Tulle", said.stdout)

    def test_doctor_without_the_runtime(self):
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
