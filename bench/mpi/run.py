#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs on two ranks: the times of those with tasks over plain ones on the library alone:
`run.py TULLE [--mpi openmpi] [--rate 100mbit]... [--only fft] [--times 5] [--tampi PREFIX]`.

Over shared memory, and over links shaped to the rates between two network namespaces, which root may make. With
tasks: on Tulle by one thread, on libgomp by as many threads as keep all messages under way, on Tulle under TAMPI;
each rank has one core. On a busy machine run it under `chrt -f 5`: what yields is else away for others' time slices.
Processes take turns, and each runs some times: the first one is faster than all others over a link, and slower in
memory. Printed are the median of all plain runs, in seconds, and the medians of the others over it; -: it did not end
within half a minute.
Last, what a message costs where nothing else has a use for the core.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from link import Link

HERE = Path(__file__).resolve().parent
LIMIT_S = 30
PLACES = {"outside": "outside of a region", "after": "outside, after one", "inside": "alone in a region",
          "team": "in a team of two"}
# Of several threads of a rank on one core each that waits in Open MPI else keeps it for its time slice.
YIELDING = ("env", "OMPI_MCA_mpi_yield_when_idle=1")
ON_ITS_CORE = ("sh", "-c", 'exec taskset -c ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} "$@"', "sh")


def in_memory(mpi: str):
    root = ["--allow-run-as-root", "--bind-to", "none", "--oversubscribe"] if mpi == "openmpi" else []
    return [f"mpirun.{mpi}", *root, "-n", "2"]


def numbers(launcher, *words, threads=1):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    done = subprocess.run([*launcher, *ON_ITS_CORE, *words], capture_output=True, text=True, check=False, timeout=LIMIT_S,
                          env={**env, "OMP_NUM_THREADS": str(threads), "OMP_MAX_TASK_PRIORITY": "2"})
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def threads_of_fft(size):
    """Groups of rows are sent and received at once (fft.c)."""
    rows = 2 ** (int(size[0]) // 2) // 2
    return 2 * max(32, rows // 4) + 1


class Program:
    """One of the paper's three, and the sizes that it is tried with. In the last of them cores and link are in
    the paper's proportion: computing takes as long beside 100 Mbit/s as it did in 2005. `threads`: what libgomp
    takes for a size, since each of its tasks that waits keeps one."""

    def __init__(self, name, source, flags, sizes, threads):
        self.name, self.source, self.flags, self.sizes, self.threads = name, source, flags, sizes, threads

    def build(self, folder, mpi, tampi=None):
        """The program's path; linked with the TAMPI of that prefix, which wants to be asked for a level of its own.
        None: it has no library for the program's language."""
        fortran = self.source.endswith(".F90")
        target = folder / f"{self.name}{'.tampi' if tampi else ''}"
        linked = []
        if tampi:
            name = f"tampi-{'fortran' if fortran else 'c'}"
            if not (tampi / "lib" / f"lib{name}.so").exists():
                return None
            linked = ["-DLEVEL=(MPI_THREAD_MULTIPLE + 1)", "-DBINDING=mpi", f"-L{tampi}/lib", f"-Wl,-rpath,{tampi}/lib",
                      f"-l{name}"]
        subprocess.run([f"{'mpif90' if fortran else 'mpicc'}.{mpi}", "-O3", "-march=native", "-fopenmp", "-w",
                        *self.flags, *(["-J", str(folder)] if fortran else []), str(HERE / self.source), *linked,
                        "-o", str(target), "-lm"], check=True)
        return str(target)


PROGRAMS = [
    Program("fft", "fft.c", [], [["14", "25"], ["16", "15"], ["18"], ["20"]], threads_of_fft),
    Program("fft, 113 bits", "fft.c", ["-DQUAD"], [["14"], ["16"], ["18"]], threads_of_fft),
    Program("lu", "lu.F90", ["-cpp"], [["512"], ["1024"], ["2048"]],
            lambda size: int(size[0]) // 64 + 2),  # tiles of rows, one of each on its way
    Program("radix", "radix.c", [], [["8192", "0", "25"], ["16384", "0", "25"], ["65536", "0", "15"], ["1048576", "0"]],
            lambda size: 18),
    Program("radix, 128 rounds", "radix.c", [], [["8192", "128", "15"], ["16384", "128", "10"], ["65536", "128"],
                                                 ["262144", "128"]], lambda size: 18),
]


class Bench:
    """The programs, built; how each is run."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.programs = [each for each in PROGRAMS if self.sizes(each)]
        self.built = {each.name: each.build(folder, options.mpi) for each in self.programs}
        self.tampi = {each.name: options.tampi and each.build(folder, options.mpi, options.tampi)
                      for each in self.programs}

    def sizes(self, program):
        return [size for size in program.sizes if f"{program.name} {size[0]}".startswith(self.options.only)]

    def ways(self, program, size):
        """Of each column: the words that run it, and its threads."""
        run, tasks = [self.options.tulle, "run"], ["tasks", *size]
        path = self.built[program.name]
        found = {"plain": ([path, "plain", *size], 1), "Tulle": ([*run, "--", path, *tasks], 1),
                 "libgomp": ([*YIELDING, path, *tasks], program.threads(size))}
        if self.tampi[program.name]:
            found["TAMPI"] = ([*run, "--mpi", "off", "--", self.tampi[program.name], *tasks], 1)
        return found

    def compare(self, where, launcher):
        """One line for each program and size."""
        for program in self.programs:
            for size in self.sizes(program):
                ways = self.ways(program, size)
                times = {way: [] for way in ways}
                for _ in range(self.options.times):
                    for way, (words, threads) in list(ways.items()):
                        try:
                            times[way] += numbers(launcher, *words, threads=threads)
                        except subprocess.TimeoutExpired:
                            del ways[way]
                medians = {way: statistics.median(times[way]) for way in ways}
                ratios = [f"{medians[way] / medians['plain']:9.3f}" if way in medians else f"{'-':>9}"
                          for way in ("Tulle", "libgomp", "TAMPI")]
                print(f"{program.name + ' ' + size[0] + ', ' + where:42} {medians['plain']:10.6f}", *ratios, flush=True)


def messages(options, folder, launcher):
    """In a team of two, whose other thread waits at a barrier, on Tulle alone: elsewhere it would need a core too."""
    program = str(folder / "pingpong")
    subprocess.run([f"mpicc.{options.mpi}", "-O3", "-fopenmp", str(HERE / "pingpong.c"), "-o", program], check=True)
    print(f"\n{'':42} {'plain':>10} {'Tulle':>9}")
    for place, beside in (("outside", "outside"), ("after", "after"), ("inside", "inside"), ("team", "inside")):
        for size in ("8", "8192", "1048576"):
            pairs = [(numbers(launcher, program, beside, size),
                      numbers(launcher, options.tulle, "run", "--", program, place, size)) for _ in range(options.times)]
            for field, what in enumerate(("us one way", "MB/s")):
                alone, on_tulle = (statistics.median(run[field] for run in each) for each in zip(*pairs))
                print(f"{what + ', ' + size + ' bytes, ' + PLACES[place]:42} {alone:10.5g} {on_tulle / alone:9.3f}", flush=True)


def over_links(options, bench, folder):
    with Link(folder) as link:
        if link is None:
            print("links: skipped, for they take root's rights, ip and tc")
            return
        for rate in options.rate:
            link.shape(rate)
            bench.compare(rate, link.launcher(options.mpi))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tulle")
    parser.add_argument("--mpi", default="openmpi", choices=("openmpi", "mpich"))
    parser.add_argument("--rate", action="append", default=[])
    parser.add_argument("--only", default="", help="programs, or one and a size of it, that begin so; `messages`: none")
    parser.add_argument("--without-memory", action="store_true", help="links alone")
    parser.add_argument("--without-messages", action="store_true")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--tampi", type=Path, help="where an unmodified TAMPI is installed, built for that MPI")
    options = parser.parse_args()
    options.tulle = str(Path(options.tulle).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Bench(options, folder)
        if bench.programs:
            print(f"{'':42} {'plain':>10} {'Tulle':>9} {'libgomp':>9} {'TAMPI':>9}")
            if not options.without_memory:
                bench.compare("memory", in_memory(options.mpi))
            if options.rate:
                over_links(options, bench, folder)
        if not options.without_messages:
            messages(options, folder, in_memory(options.mpi))


main()
