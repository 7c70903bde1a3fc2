#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Devices: what regions and copies cost, by kind of device and way of waiting, beside LLVM's host plug-in; how busy two
devices are kept by regions of 1 ms; Cholesky on one device; and a stencil over as many devices as there are CPUs:
`run.py RUNTIME_FOLDER [--llvm FOLDER] [--count N] [--rounds N] [--runs N] [--tulle PROGRAM [--rate 1gbit]...]`. With the command
`tulle` also a rank as device, of Open MPI and MPICH in memory and, by root, of Open MPI over links of these rates.

A device has the last CPU, or shares all; the program's own thread is bound to the first. The runs take turns; of several rounds the one
with the smallest median stands. Times are in µs: smallest / median / largest. The programs of clang are left out where
it makes no device code, LLVM's plug-in where its library is not found.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mpi"))
from link import Link  # noqa: E402

LIMIT_S = 300
CPUS = sorted(os.sched_getaffinity(0))
COMPILERS = {"gcc": ["gcc"], "clang": [os.environ.get("TULLE_CLANG", "clang-22"),
                                       f"-fopenmp-targets={os.uname().machine}-unknown-linux-gnu"]}
BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
WAITS = ("BLOCK_NO_OS", "BLOCK_OS", "NO_BLOCK")


def build(folder: Path, compiler: str, name: str):
    """The program's path, or nothing where the compiler cannot."""
    target = folder / f"{name}-{compiler}"
    done = subprocess.run([*COMPILERS[compiler], "-O2", "-fopenmp", "-w", str(HERE / f"{name}.c"), "-o", str(target)],
                          capture_output=True, check=False, timeout=LIMIT_S)
    return target if done.returncode == 0 else None


def run(program: Path, *arguments, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "KMP_", "GOMP_", "LD_"))}
    done = subprocess.run([str(program), *map(str, arguments)], env=env | settings, capture_output=True, text=True,
                          check=False, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f"{program.name}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def cases(options, programs):
    """(name, program, settings) of all that is measured."""
    devices = {"cluster": f"cluster:{CPUS[-1]}", "process": "process:1"}
    for compiler, program in programs.items():
        for kind, setting in devices.items():
            for wait in WAITS if compiler == "gcc" else WAITS[:1]:
                yield (f"{kind} {compiler} {wait}", program,
                       {"LD_LIBRARY_PATH": options.runtime, "TULLE_DEVICES": setting, "TULLE_TARGET_WAIT": wait, **BOUND})
    if "clang" in programs and (Path(options.llvm) / "libomptarget.so.22.1").exists():
        yield "LLVM's plug-in", programs["clang"], {"LD_LIBRARY_PATH": options.llvm, **BOUND}


def measure(options, programs):
    best = {}
    for _ in range(options.rounds):
        for name, program, settings in cases(options, programs):
            lines = [line.split() for line in run(program, options.count, **settings).splitlines()]
            for what, *values in lines:
                values = [float(value) for value in values]
                key = (lambda v: v[1]) if len(values) == 3 else (lambda v: -v[0])
                known = best.setdefault(name, {}).get(what)
                if known is None or key(values) < key(known):
                    best[name][what] = values
    for name, values in best.items():
        print(name)
        for what, numbers in values.items():
            text = " / ".join(f"{number:.2f}" for number in numbers) + (" µs" if len(numbers) == 3 else " GB/s")
            print(f"  {what:7} {text}")


def largest(options, programs):
    """In how many runs the largest of the empty regions was at most five medians, and how large it was at best and in the
    median of the runs; and the same of two threads alone in the same processes, on the same CPUs."""
    if len(CPUS) < 2:
        return
    seen = {}
    for _ in range(options.runs):
        for name, program, settings in cases(options, programs):
            for line in run(program, options.count, "empty", **settings).splitlines():
                what, *values = line.split()
                seen.setdefault((name, what), []).append([float(value) for value in values])
    print(f"largest of {options.count}, in {options.runs} runs")
    for (name, what), runs in seen.items():
        most = sorted(values[2] for values in runs)
        kept = sum(values[2] <= 5 * values[1] for values in runs)
        print(f"  {name}, {what}: at most 5 medians in {kept}; {most[0]:.2f} at best, {statistics.median(most):.2f} µs")


def stencil(options, program):
    """Each device has one CPU, the host's own code runs on one as well."""
    print("stencil")
    for devices in (0, 1, 2, 4):
        if devices > len(CPUS):
            print(f"  {devices} devices: not on {len(CPUS)} CPUs")
            continue
        for kind in ("cluster", "process") if devices else ("host",):
            clusters = ";".join(f"cluster:{cpu}" for cpu in CPUS[-devices:])
            setting = {"cluster": {"TULLE_DEVICES": clusters}, "process": {"TULLE_DEVICES": f"process:{devices}"},
                       "host": {"OMP_NUM_THREADS": "1"}}[kind]
            times = [float(run(program, devices, 1500, 100, LD_LIBRARY_PATH=options.runtime, **setting))
                     for _ in range(options.rounds)]
            print(f"  {devices} devices, {kind}: {statistics.median(times):.3f} s")


def devices_of(kind, count):
    return ";".join(f"cluster:{cpu}" for cpu in CPUS[-count:]) if kind == "cluster" else f"process:{count}"


def busy(options, programs):
    """Of each device's time, that which it spends in regions; the worst device of the best round."""
    if len(CPUS) < 2:
        return
    print("busy: two devices, regions of 1 ms")
    for compiler, program in programs.items():
        for kind in ("cluster", "process"):
            rounds = [[[float(word) for word in line.split()]
                       for line in run(program, 2, 1000, LD_LIBRARY_PATH=options.runtime,
                                       TULLE_DEVICES=devices_of(kind, 2)).splitlines()] for _ in range(options.rounds)]
            part = max(min(part for part, _ in one) for one in rounds)
            gap = min(max(gap for _, gap in one) for one in rounds)
            print(f"  {kind} {compiler}: {part:.2f} %, {gap:.2f} µs between two regions")


def cholesky(options, program):
    """As figure 6.15 (a) of the paper has it: how many times faster than one thread of the device."""
    print("cholesky: tasks with taskwait, with dependences; with dependences on the host")
    whole = f"{CPUS[0]}-{CPUS[-1]}"
    for kind, setting in (("cluster", f"cluster:{whole}"), ("process", "process:1")):
        for tiles in (4, 8, 16, 32):
            runs = [[float(word) for word in run(program, tiles, 32, LD_LIBRARY_PATH=options.runtime,
                                                 TULLE_DEVICES=setting).split()] for _ in range(options.rounds)]
            alone, *others = (min(column) for column in zip(*runs))
            text = ", ".join(f"{alone / seconds:.2f}" for seconds in others)
            print(f"  {kind}, {tiles * (tiles + 1) * (tiles + 2) // 6} tasks: {text}")


def ranks(options, program):
    """What a rank costs as a device, and what MPI moves by itself; 1gbit carries 0.118 GB/s of data, say."""
    def show(what, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S,
                              env=os.environ | {"TULLE_DEVICES": "mpi"})
        print(f"{what}\n" + "".join(f"  {line}\n" for line in (done.stdout or done.stderr).splitlines()), end="")

    def show_both(where, launcher, messages):
        for _ in range(options.rounds):
            show(f"a rank, {where}", *launcher, options.tulle, "run", "--", str(program), "200")
            show(f"messages alone, {where}", *launcher, str(messages))

    with tempfile.TemporaryDirectory() as folder, Link(Path(folder)) as link:
        messages = {}
        for mpi in "openmpi", "mpich":
            messages[mpi] = Path(folder) / mpi
            subprocess.run([f"mpicc.{mpi}", "-O2", str(HERE / "messages.c"), "-o", str(messages[mpi])], check=True)
        show_both("in memory, Open MPI",
                  ["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "none", "--oversubscribe", "-n", "2"], messages["openmpi"])
        show_both("in memory, MPICH", ["mpirun.mpich", "-n", "2"], messages["mpich"])
        for rate in options.rate if link is not None else ():
            link.shape(rate)
            show_both(f"over {rate}", link.launcher(exported=("TULLE_DEVICES",)), messages["openmpi"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", help="the folder with libgomp.so.1 of Tulle")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/lib", help="the folder with LLVM's libomptarget")
    parser.add_argument("--count", type=int, default=10000, help="empty regions")
    parser.add_argument("--tulle", type=os.path.abspath, help="the command; without it no ranks are tried")
    parser.add_argument("--rate", action="append", default=[], help="of a link, in the words of tc")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=0, help="for the largest of the empty regions beside the machine's own")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        built = {(name, compiler): build(Path(folder), compiler, name)
                 for name in ("offloads", "stencil", "busy", "cholesky") for compiler in COMPILERS}
        measure(options, {compiler: built["offloads", compiler] for compiler in COMPILERS
                          if built["offloads", compiler] is not None})
        if options.runs:
            largest(options, {compiler: built["offloads", compiler] for compiler in COMPILERS
                              if built["offloads", compiler] is not None})
        if options.tulle:
            ranks(options, built["offloads", "gcc"])
        busy(options, {compiler: built["busy", compiler] for compiler in COMPILERS
                       if built["busy", compiler] is not None})
        cholesky(options, built["cholesky", "gcc"])
        stencil(options, built["stencil", "gcc"])


if __name__ == "__main__":
    main()
