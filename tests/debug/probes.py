# SPDX-License-Identifier: Apache-2.0
"""The library's static probes: readelf lists them, gdb stops at them, bpftrace counts them where it may.

usage: probes.py LIBRARY PROGRAM READELF GDB [BPFTRACE]
"""
import os
import re
import subprocess
import sys
import time
import unittest

LIBRARY, PROGRAM, READELF, GDB = sys.argv[1:5]
BPFTRACE = sys.argv[5] if len(sys.argv) > 5 else None
ENVIRONMENT = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(LIBRARY), DEBUGINFOD_URLS="")
# Of each the number of arguments.
PROBES = {"region_begin": 2, "region_end": 1, "suspend": 2, "resume": 2, "steal": 2, "task_steal": 2, "task_create": 3,
          "task_begin": 2, "task_end": 3, "wait_begin": 3, "wait_end": 3, "lock_wait": 3, "lock_taken": 3, "lock_free": 3}
# What the program does: a region's barriers are those of single and its own.
HITS = {"region_begin": 5, "region_end": 5, "task_create": 50, "task_begin": 50, "task_end": 50, "wait_begin": 40,
        "wait_end": 40, "lock_wait": 50, "lock_taken": 50, "lock_free": 50}


def may_watch():
    """Whether bpftrace may watch a program here, by a probe that is not Tulle's. Where the kernel refuses one bpftrace says so
    and ends as if all were well."""
    if BPFTRACE is None or os.geteuid() != 0:
        return False
    script = f"uprobe:{PROGRAM}:main {{ printf(\"seen\\n\"); exit(); }}"
    try:
        done = subprocess.run([BPFTRACE, "-e", script, "-c", PROGRAM], env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return False
    return "seen" in done.stdout


class Probes(unittest.TestCase):
    def test_notes(self):
        notes = subprocess.run([READELF, "-n", LIBRARY], capture_output=True, text=True, check=True).stdout
        found = re.findall(r"Provider: tulle\s+Name: (\w+)\s+Location: 0x0*[1-9a-f]\w*, Base: 0x0*[1-9a-f]\w*, "
                           r"Semaphore: 0x0*[1-9a-f]\w*\s+Arguments: (.*)", notes)
        self.assertEqual({name: len(arguments.split()) for name, arguments in found}, PROBES)

    def hits(self, stop):
        """How often gdb comes by each, if it sets them when the program has come to `stop`."""
        numbers = {name: number for number, name in enumerate(HITS, 2)}
        commands = ["set pagination off", "set breakpoint pending off", stop, "run", "delete"]
        commands += [f"break -probe-stap tulle:{name}" for name in numbers]
        commands += [f"ignore {number} 100000" for number in numbers.values()]
        commands += ["continue", "info breakpoints"]
        arguments = [GDB, "-nx", "-batch", "-iex", "set auto-load off"] + [part for c in commands for part in ("-ex", c)]
        said = subprocess.run([*arguments, PROGRAM], env=ENVIRONMENT, capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertIn("50 tasks", said.stdout, said.stdout + said.stderr)
        found = re.findall(r"-probe-stap tulle:(\w+)(?:\n\s+breakpoint already hit (\d+) time)?", said.stdout)
        return {name: int(count or 0) for name, count in found}

    def expect(self, wanted, found):
        """gdb counts a stop again if another thread's keeps it from stepping on; none that was not there."""
        self.assertEqual(found.keys(), wanted.keys())
        wrong = {name: (found[name], wanted[name]) for name in wanted
                 if not wanted[name] <= found[name] <= 1.2 * wanted[name]}
        self.assertEqual(wrong, {})

    def test_watched_from_the_start(self):
        self.expect(HITS, self.hits("catch load libgomp"))

    def test_watched_later(self):
        """Tasks, waits and locks go the way that has probes only if somebody watched when the library was loaded."""
        later = {name: count if name.startswith("region") else 0 for name, count in HITS.items()}
        self.expect(later, self.hits("break main"))

    @unittest.skipUnless(may_watch(), "bpftrace is not there or may not watch")
    def test_counted(self):
        script = (f"usdt:{LIBRARY}:tulle:task_end {{ @ends = count(); }}"
                  f" usdt:{LIBRARY}:tulle:region_begin /comm == \"probes\"/ {{ @threads = arg1; }}"
                  f" usdt:{LIBRARY}:tulle:region_end {{ @regions++; if (@regions >= 5) {{ exit(); }} }}")
        with subprocess.Popen([BPFTRACE, "-e", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watcher:
            end = time.monotonic() + 60
            while watcher.poll() is None and time.monotonic() < end:
                subprocess.run([PROGRAM], env=ENVIRONMENT, capture_output=True, timeout=60, check=True)
                time.sleep(0.1)
            watcher.kill()
            said = watcher.stdout.read()
        self.assertRegex(said, r"@regions: \d")
        self.assertRegex(said, r"@ends: [1-9]")
        self.assertRegex(said, r"@threads: 4\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
