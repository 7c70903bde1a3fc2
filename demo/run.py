# SPDX-License-Identifier: Apache-2.0
"""Runs programs that GCC built under the system's libgomp and under Tulle, and prints tables.

Usage: run.py BUILD_FOLDER [--seconds S] [--limit S] [--picture FILE.svg]
"""
import argparse
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADS = ("threads", "runtime", "time", "CPU", "OS threads made", "result")
SETTINGS = ("OMP_", "GOMP_", "KMP_", "TULLE_", "BLIS_", "OPENBLAS_", "LD_")


@dataclasses.dataclass
class Outcome:
    """What one run of a program came to. words: what it printed; fault: why it has no result."""
    words: list[str]
    fault: str
    threads: int | None


@dataclasses.dataclass
class Row:
    case: str
    runtime: str
    time: str
    cpu: str
    threads: str
    result: str


class Demo:
    def __init__(self, build, seconds, limit):
        self.tulle = build / "bin" / "tulle"
        self.folder = build / "demo"
        self.python = self.folder / "venv" / "bin" / "python3"
        self.seconds = seconds
        self.limit = limit
        self.faults = 0
        if not self.tulle.exists():
            sys.exit(f"{self.tulle} is not there: build Tulle first")

    def prepare(self):
        """Builds what is ours into the demo's folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        found = sorted(pathlib.Path("/usr/lib").glob("*/blis-openmp/libblis.so.4"))
        if not found:
            sys.exit("BLIS for OpenMP is not installed (Debian's libblis4-openmp)")
        blis = found[0]
        subprocess.run(["gcc", "-O2", "-fopenmp", HERE / "dgemm.c", blis,
                        f"-Wl,-rpath,{blis.parent}", "-o", self.folder / "dgemm"], check=True)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", HERE / "count_threads.c",
                        "-o", self.folder / "count_threads.so"], check=True)

    def get_scikit_learn(self):
        """Into the demo's own folder. False if PyPI cannot be reached."""
        wanted = (HERE / "requirements.txt").read_text()
        stamp = self.folder / "venv" / "requirements.txt"
        if stamp.exists() and stamp.read_text() == wanted:
            return True
        print("\ngetting scikit-learn", flush=True)
        subprocess.run([sys.executable, "-m", "venv", self.folder / "venv"], check=True)
        pip = subprocess.run([self.python, "-m", "pip", "install", "-q",
                              "--disable-pip-version-check", "-r", HERE / "requirements.txt"],
                             capture_output=True, text=True, check=False)
        if pip.returncode == 0:
            stamp.write_text(wanted)
        else:
            print(pip.stderr.strip().splitlines()[-1], file=sys.stderr)
        return pip.returncode == 0

    def run(self, program, on_tulle, variables):
        """Runs a program; one that exceeds the limit is killed with all that it started."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(SETTINGS)}
        with tempfile.TemporaryDirectory() as scratch:
            count = pathlib.Path(scratch) / "threads"
            environment = {**inherited, **variables, "COUNT_THREADS": str(count),
                           "LD_PRELOAD": str(self.folder / "count_threads.so")}
            command = [self.tulle, "run", "--", *program] if on_tulle else program
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as child:
                try:
                    output, errors = child.communicate(timeout=self.limit)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.communicate()
                    return Outcome([], f"HANGS or crawls: stopped after {self.limit:.0f} s", None)
            fault = ""
            if child.returncode != 0:
                last = (errors.strip().splitlines() or ["no message"])[-1]
                fault = f"FAILED with status {child.returncode}: {last[-70:]}"
            counts = count.read_text().split() if count.exists() else []
            return Outcome(output.split(), fault, int(counts[-1]) if counts else None)

    def row(self, case, on_tulle, got, time="-", cpu="-", result=""):
        """A line of a table; a result that is not right counts as a fault of Tulle."""
        result = got.fault or result
        if on_tulle and not result.startswith("right"):
            self.faults += 1
        return Row(case, "Tulle" if on_tulle else "libgomp", time, cpu,
                   "-" if got.threads is None else str(got.threads), result)

    def dgemm(self, outer, inner, on_tulle):
        got = self.run([self.folder / "dgemm", str(outer), str(self.seconds)], on_tulle,
                       {"BLIS_NUM_THREADS": str(inner)})
        case = f"{outer} x {inner}"
        if got.fault:
            return self.row(case, on_tulle, got)
        calls, elapsed, cpu, wrong = int(got.words[0]), *map(float, got.words[1:3]), int(got.words[3])
        return self.row(case, on_tulle, got, f"{elapsed / calls * 1e3:.2f} ms",
                        f"{cpu / calls * 1e3:.2f} ms",
                        f"right, {calls} calls" if wrong == 0 else f"WRONG: {wrong} of {calls}")

    def learn(self, threads, on_tulle, expected):
        """The median of three runs, and what they answered."""
        runs = [self.run([self.python, HERE / "learn.py"], on_tulle,
                         {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"})
                for _ in range(3)]
        failed = next((run for run in runs if run.fault), None)
        if failed is not None:
            return self.row(f"{threads}", on_tulle, failed), expected
        answers = {run.words[2] for run in runs}
        expected = expected or runs[0].words[2]
        got = sorted(runs, key=lambda run: float(run.words[0]))[1]
        return self.row(f"{threads}", on_tulle, got, f"{float(got.words[0]) * 1e3:.0f} ms",
                        f"{float(got.words[1]) * 1e3:.0f} ms",
                        f"right, {expected[:12]}" if answers == {expected} else
                        f"ANOTHER ANSWER: {sorted(answers)[0][:12]}"), expected


def milliseconds(row):
    """What a picture shows of it: a time, or why there is none."""
    return float(row.time.split()[0]) if row.time.endswith(" ms") else row.result.split(":")[0]


def draw(demo, tables, picture):
    """By the demo's own Python, which gets matplotlib for it."""
    subprocess.run([demo.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "matplotlib"], check=True)
    cases = []
    for name, rows in tables:
        for row in rows:
            if row.runtime == "libgomp":
                cases.append((name.format(row.case), {}))
            cases[-1][1][row.runtime] = milliseconds(row)
    told = {"title": f"On {len(os.sched_getaffinity(0))} CPUs; both runtimes with their defaults", "cases": cases}
    subprocess.run([demo.python, HERE / "picture.py", picture], input=json.dumps(told), text=True, check=True)


def print_table(title, rows):
    cells = [HEADS] + [dataclasses.astuple(row) for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEADS))]

    def show(line):
        parts = [text.ljust(w) if i in (0, 1, 5) else text.rjust(w)
                 for i, (text, w) in enumerate(zip(line, widths))]
        return "  " + "  ".join(parts).rstrip()

    print(f"\n{title}\n")
    print(show(cells[0]))
    print("  " + "  ".join("-" * w for w in widths))
    for line in cells[1:]:
        print(show(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each dgemm case runs")
    parser.add_argument("--limit", type=float, default=60.0, help="when a run is stopped")
    parser.add_argument("--picture", type=pathlib.Path, help="draw the results into this SVG file too")
    options = parser.parse_args()
    demo = Demo(options.build.resolve(), options.seconds, options.limit)
    demo.prepare()
    print(f"On {len(os.sched_getaffinity(0))} CPUs; both runtimes with their defaults.")

    rows = [demo.dgemm(n, n, on_tulle) for n in (1, 2, 4) for on_tulle in (False, True)]
    tables = [("BLIS in parallel code,\n{} threads", rows)]
    print_table("Debian's BLIS: dgemm of order 256 from inside a parallel region\n"
                "(OpenMP threads x BLIS_NUM_THREADS; time and CPU for each call)", rows)

    rows, expected = [], None
    if not demo.get_scikit_learn():
        print("scikit-learn could not be had from PyPI: its table is left out")
        return 1
    for threads in (2, 4, 16):
        for on_tulle in (False, True):
            row, expected = demo.learn(threads, on_tulle, expected)
            rows.append(row)
    print_table("scikit-learn from PyPI, which brings a libgomp of its own: boosted trees and k-means\n"
                "(OMP_NUM_THREADS; the median of three runs; right: as the first run answered)", rows)
    tables.append(("scikit-learn,\n{} threads", rows))
    if options.picture is not None:
        draw(demo, tables, options.picture.resolve())
    print("\nTime a call is elapsed time divided by the calls of all threads. \"OS threads made\" counts\n"
          "the process's calls of pthread_create.")
    return 1 if demo.faults else 0


if __name__ == "__main__":
    sys.exit(main())
