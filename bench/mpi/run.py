#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs on two ranks of one thread each, with tasks on Tulle over plain on the library alone:
`run.py TULLE [--mpi openmpi] [--rate 100mbit]... [--sizes 18,20] [--times 3]
[--without-messages]`.

Over shared memory, and over links shaped to the rates between two network namespaces, which root may make. The
runs of the two take turns; printed are the medians and their ratio. Also what a message costs where nothing else
has a use for the core.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_S = 120
SPACES = ("tulle_mpi_a", "tulle_mpi_b")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
AGENT = f"""#!/bin/sh
host=$1; shift
[ "$host" = {ADDRESSES[1]} ] && space={SPACES[1]} || space={SPACES[0]}
exec ip netns exec $space sh -c "$*"
"""


def quiet(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=LIMIT_S)


class Link:
    """Two namespaces joined by a pair of interfaces. Open MPI's launcher reaches the other one by an agent."""

    def __init__(self, folder: Path):
        self.agent = folder / "agent"
        self.agent.write_text(AGENT)
        self.agent.chmod(0o755)

    def __enter__(self):
        if not all(shutil.which(each) for each in ("ip", "tc")):
            return None
        steps = [["ip", "netns", "add", space] for space in SPACES]
        steps.append(["ip", "link", "add", "tulle_ma", "type", "veth", "peer", "name", "tulle_mb"])
        for space, end, address in zip(SPACES, ("tulle_ma", "tulle_mb"), ADDRESSES):
            steps += [["ip", "link", "set", end, "netns", space],
                      ["ip", "-n", space, "addr", "add", f"{address}/24", "dev", end],
                      ["ip", "-n", space, "link", "set", end, "up"],
                      ["ip", "-n", space, "link", "set", "lo", "up"]]
        return self if all(quiet(*step).returncode == 0 for step in steps) else None

    def __exit__(self, *_):
        for space in SPACES:
            quiet("ip", "netns", "del", space)

    def shape(self, rate: str):
        for space, end in zip(SPACES, ("tulle_ma", "tulle_mb")):
            subprocess.run(["tc", "-n", space, "qdisc", "replace", "dev", end, "root", "tbf", "rate", rate,
                            "burst", "256kbit", "latency", "400ms"], check=True)

    def launcher(self):
        net = f"{ADDRESSES[0]}/24"
        return ["ip", "netns", "exec", SPACES[0], "mpirun.openmpi", "--allow-run-as-root", "--bind-to", "none",
                "--host", ",".join(f"{address}:1" for address in ADDRESSES), "-n", "2", "--mca", "plm", "rsh",
                "--mca", "plm_rsh_agent", str(self.agent), "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                "--mca", "btl_tcp_if_include", net, "--mca", "oob_tcp_if_include", net, "-x", "OMP_NUM_THREADS"]


def in_memory(mpi: str):
    root = ["--allow-run-as-root", "--bind-to", "none", "--oversubscribe"] if mpi == "openmpi" else []
    return [f"mpirun.{mpi}", *root, "-n", "2"]


def numbers(launcher, *words):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "TULLE_", "LD_"))}
    done = subprocess.run([*launcher, *words], capture_output=True, text=True, check=False, timeout=LIMIT_S,
                          env={**env, "OMP_NUM_THREADS": "1"})
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def compare(title, launcher, plain, tulle, times, field=0):
    """Medians of runs that take turns."""
    pairs = [(numbers(launcher, *plain)[field], numbers(launcher, *tulle)[field]) for _ in range(times)]
    alone, on_tulle = (statistics.median(each) for each in zip(*pairs))
    print(f"{title:42} {alone:12.6g} {on_tulle:12.6g} {on_tulle / alone:8.3f}", flush=True)


def transforms(options, folder, launcher, where):
    for size in options.sizes.split(","):
        program = str(folder / "fft")
        compare(f"FFT of 2^{size} points, {where}", launcher, [program, "plain", size],
                [options.tulle, "run", "--", program, "tasks", size], options.times)


def messages(options, folder, launcher):
    program = str(folder / "pingpong")
    for place in ("outside", "inside"):
        for size in ("8", "8192"):
            words = [program, place, size]
            for field, what in enumerate(("us one way", "MB/s")):
                compare(f"{what}, {size} bytes, {place} of a region", launcher, words,
                        [options.tulle, "run", "--", *words], options.times, field)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tulle")
    parser.add_argument("--mpi", default="openmpi", choices=("openmpi", "mpich"))
    parser.add_argument("--rate", action="append", default=[])
    parser.add_argument("--sizes", default="18,20")
    parser.add_argument("--without-messages", action="store_true")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    options.tulle = str(Path(options.tulle).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in ("fft", "pingpong"):
            subprocess.run([f"mpicc.{options.mpi}", "-O3", "-march=native", "-fopenmp", str(HERE / f"{program}.c"),
                            "-o", str(folder / program), "-lm"], check=True)
        print(f"{'':42} {'plain':>12} {'on Tulle':>12} {'ratio':>8}")
        if not options.without_messages:
            messages(options, folder, in_memory(options.mpi))
        transforms(options, folder, in_memory(options.mpi), "shared memory")
        if not options.rate:
            return
        with Link(folder) as link:
            if link is None or options.mpi != "openmpi":
                print("links: skipped, for they take root's rights, ip, tc and Open MPI")
                return
            for rate in options.rate:
                link.shape(rate)
                transforms(options, folder, link.launcher(), rate)


main()
