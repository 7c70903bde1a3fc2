# SPDX-License-Identifier: Apache-2.0
"""Runs programs that GCC built under the system's libgomp and under Tulle, and prints a table.

Usage: run.py BUILD_FOLDER [--seconds S] [--limit S]
"""
import argparse
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
IMAGE = ["-size", "640x480", "radial-gradient:orange-navy", "-wave", "8x60", "-blur", "0x2",
         "-unsharp", "0x3", "-statistic", "Median", "3x3", "-resize", "200%", "-modulate", "110,80",
         "-format", "%#", "info:"]


@dataclasses.dataclass
class Outcome:
    """What one run of a program took, and what it printed; output None if it was stopped."""
    output: str | None
    elapsed: float
    cpu: float
    threads: int | None


@dataclasses.dataclass
class Row:
    case: str
    runtime: str
    time: str
    cpu: str
    threads: str
    verdict: str


def is_checksum(output):
    return output is not None and re.fullmatch(r"[0-9a-f]{64}\s*", output) is not None


class Demo:
    def __init__(self, build, seconds, limit):
        self.tulle = build / "bin" / "tulle"
        self.programs = build / "demo"
        self.seconds = seconds
        self.limit = limit
        if not self.tulle.exists():
            sys.exit(f"{self.tulle} is not there: build Tulle first")

    def compile(self):
        """Builds the demo's own program against Debian's BLIS, and the counter of threads."""
        self.programs.mkdir(parents=True, exist_ok=True)
        found = sorted(pathlib.Path("/usr/lib").glob("*/blis-openmp/libblis.so.4"))
        if not found:
            sys.exit("BLIS for OpenMP is not installed (Debian's libblis4-openmp)")
        blis = found[0]
        subprocess.run(["gcc", "-O2", "-fopenmp", HERE / "dgemm.c", blis,
                        f"-Wl,-rpath,{blis.parent}", "-o", self.programs / "dgemm"], check=True)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", HERE / "count_threads.c",
                        "-o", self.programs / "count_threads.so"], check=True)

    def run(self, program, on_tulle, variables):
        """Runs a program; one that exceeds the limit is killed with all that it started."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(
            ("OMP_", "GOMP_", "KMP_", "TULLE_", "BLIS_", "MAGICK_", "LD_"))}
        with tempfile.TemporaryDirectory() as folder:
            count = pathlib.Path(folder) / "threads"
            environment = {**inherited, **variables, "COUNT_THREADS": str(count),
                           "LD_PRELOAD": str(self.programs / "count_threads.so")}
            command = [self.tulle, "run", "--", *program] if on_tulle else program
            start = time.monotonic()
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True) as child:
                before = os.times()
                try:
                    output, errors = child.communicate(timeout=self.limit)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.communicate()
                    output, errors = None, ""
            elapsed = time.monotonic() - start
            after = os.times()
            cpu = (after.children_user - before.children_user +
                   after.children_system - before.children_system)
            if output is not None and child.returncode != 0:
                last = (errors.strip().splitlines() or ["no message"])[-1]
                output = f"FAILED with status {child.returncode}: {last[-70:]}"
            # The command itself ends as the program; the program's own count is the last line.
            lines = count.read_text().split() if count.exists() else []
            return Outcome(output, elapsed, cpu, int(lines[-1]) if lines else None)

    def dgemm(self, outer, inner, on_tulle):
        variables = {"BLIS_NUM_THREADS": str(inner)}
        got = self.run([self.programs / "dgemm", str(outer), str(self.seconds)], on_tulle, variables)
        row = self.row(f"{outer} x {inner}", on_tulle, got)
        words = (got.output or "").split()
        if len(words) == 3 and words[0].isdigit():
            calls, elapsed, wrong = int(words[0]), float(words[1]), int(words[2])
            row.time = f"{elapsed / calls * 1e3:.2f} ms"
            row.cpu = f"{got.cpu / calls * 1e3:.2f} ms"
            row.verdict = f"right, {calls} calls" if wrong == 0 else f"WRONG: {wrong} of {calls}"
        return row

    def image(self, threads, on_tulle, expected):
        variables = {"OMP_NUM_THREADS": str(threads), "MAGICK_THREAD_LIMIT": str(threads)}
        program = ["/usr/bin/convert-im6.q16", *IMAGE]
        runs = sorted((self.run(program, on_tulle, variables) for _ in range(3)),
                      key=lambda run: run.elapsed)
        got = next((run for run in runs if not is_checksum(run.output)), runs[1])
        row = self.row(f"{threads} threads", on_tulle, got)
        if is_checksum(got.output):
            row.time = f"{got.elapsed:.2f} s"
            row.cpu = f"{got.cpu:.2f} s"
            right = all(run.output == (expected or got.output) for run in runs)
            row.verdict = ("same image" if right else "ANOTHER IMAGE") + f" {got.output[:12]}"
        return row, got.output

    def row(self, case, on_tulle, got):
        verdict = got.output.strip() if got.output is not None else "HANGS or crawls: stopped"
        shown = f"> {self.limit:.0f} s" if got.output is None else "-"
        return Row(case, "Tulle" if on_tulle else "libgomp", shown, f"{got.cpu:.1f} s in all",
                   "-" if got.threads is None else str(got.threads), verdict)


def print_table(title, heads, rows):
    cells = [heads] + [dataclasses.astuple(row) for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(heads))]

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
    options = parser.parse_args()
    demo = Demo(options.build.resolve(), options.seconds, options.limit)
    demo.compile()

    rows = [demo.dgemm(n, n, on_tulle) for n in (1, 2, 4) for on_tulle in (False, True)]
    print_table(
        f"dgemm of order 256 from inside a parallel region, on {os.cpu_count()} CPUs\n"
        "(outer threads x BLIS_NUM_THREADS; Debian's BLIS and a program, both built by GCC)",
        ("threads", "runtime", "time a call", "CPU a call", "OS threads made", "result"), rows)

    faults = [row for row in rows if row.runtime == "Tulle" and not row.verdict.startswith("right")]
    rows, expected = [], None
    for threads in (2, 16, 36):
        for on_tulle in (False, True):
            row, output = demo.image(threads, on_tulle, expected)
            expected = expected or output
            rows.append(row)
    faults += [row for row in rows if row.runtime == "Tulle" and not row.verdict.startswith("same")]
    print_table("ImageMagick of Debian: six filters on one picture, the median of three runs",
                ("case", "runtime", "elapsed", "CPU", "OS threads made", "result"), rows)
    print("\nTime a call is elapsed time divided by all threads' calls. OS threads made counts the\n"
          "process's calls of pthread_create. Both runtimes ran with their defaults.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
