#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Transfers of cache lines between the cores in one repetition of each flat construct.

A team is followed by single steps (follow.c), each member as if it had a core with a cache of its own:
who reads a line that another one has written fetches it, who writes one that others hold takes it from
them; both are a transfer. What is on the same line counts once for lines of 64 bytes and once for pairs
of them, as hardware fetches them. Threads are bound to cores, as in the bench. Exact, and the same on every machine.

count.py RUNTIME_FOLDER BUILD_FOLDER [--only NAMES] [--compilers NAMES] [--update] [--lines]
"""
import os
import struct
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import operands

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
import bounds  # noqa: E402

BOUNDS = HERE / "bounds.json"
PLACES, COUNTED = 8, 4  # of probe.c
RECORD = struct.Struct(f"<q{len(operands.REGISTERS) + 4}Q")
LINES = (64, 128)
DRIVERS = {"gcc": "gcc", "clang": os.environ.get("TULLE_CLANG", "clang-22")}
LIMIT_S = 300
ATTEMPTS = 3  # a member that is not awake when the steps begin cannot be followed
PAGE, PT_LOAD = 4096, 1


@dataclass
class File:
    """A mapped file: where, and what of it was executed."""
    path: str
    base: int
    executed: set[int] = field(default_factory=set)
    listing: operands.Listing | None = None


class Caches:
    """Who holds which line of one size."""

    def __init__(self, size: int):
        self.size = size
        self.holders: dict[int, set[int]] = {}
        self.transfers = Counter()

    def access(self, member: int, access: operands.Access, why) -> None:
        for line in range(access.address // self.size, (access.address + access.size - 1) // self.size + 1):
            holders = self.holders.setdefault(line, {member})
            if member not in holders or (access.writes and len(holders) > 1):
                self.transfers[(line, member, access.writes, why)] += 1
            if access.writes:
                self.holders[line] = {member}
            else:
                holders.add(member)


def build(folder: Path, compiler: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, driver in (("follow", "gcc"), (f"probe-{compiler}", DRIVERS[compiler])):
        source, target = HERE / f"{name.split('-')[0]}.c", folder / name
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        subprocess.run([driver, "-O2", "-Wall", "-Wextra", "-fopenmp", str(source), "-o", str(target)],
                       check=True)


def record(folder: Path, runtime: Path, compiler: str, case: str, threads: int):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "TULLE_", "LD_"))}
    env |= {"LD_LIBRARY_PATH": str(runtime), "OMP_NUM_THREADS": str(threads), "TULLE_WORKERS": str(threads),
            "OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "infinite", "GOMP_SPINCOUNT": "infinity",
            "TULLE_MONITOR_TICK": "10s", "OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    command = [str(folder / "follow"), str(3 * PLACES), str(folder / f"probe-{compiler}"), case]
    for _ in range(ATTEMPTS):
        answer = subprocess.run(command, env=env, capture_output=True, timeout=LIMIT_S, check=False)
        if answer.returncode == 0:
            break
    else:
        raise RuntimeError(f"{case}: {answer.stderr.decode().strip()[-300:] or answer.returncode}")
    records = list(RECORD.iter_unpack(answer.stdout))
    if len({one[0] for one in records if one[0] >= 0}) != threads:
        raise RuntimeError(f"{case}: fewer than {threads} OS threads took part")
    return records, answer.stderr.decode()


def segments(path: str) -> list[tuple[int, int]]:
    """(offset in the file, address) of what an ELF file has loaded, by whole pages."""
    with open(path, "rb") as file:
        head = file.read(64)
        table, size, number = (struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54))
        file.seek(table)
        entries = [struct.unpack_from("<IIQQ", file.read(size)) for _ in range(number)]
    return [(offset & -PAGE, address & -PAGE) for kind, _, offset, address in entries if kind == PT_LOAD]


def mapped_files(maps: str) -> list[tuple[int, int, File]]:
    found, files = [], {}
    for line in maps.splitlines():
        parts = line.split(maxsplit=5)
        if len(parts) < 6 or not parts[5].startswith("/"):
            continue
        if "x" not in parts[1]:
            continue
        begin, end = (int(word, 16) for word in parts[0].split("-"))
        loaded = dict(segments(parts[5]))[int(parts[2], 16)]
        found.append((begin, end, files.setdefault(parts[5], File(parts[5], begin - loaded))))
    return found


def disassemble(records, maps: str) -> dict[int, tuple[operands.Instruction, int]]:
    """Instructions by their addresses in the process, with where their file was loaded."""
    areas = mapped_files(maps)
    found = {}
    for address in {one[1 + operands.REGISTERS.index("rip")] for one in records if one[0] >= 0}:
        for begin, end, file in areas:
            if begin <= address < end:
                file.executed.add(address - file.base)
    for file in {id(area[2]): area[2] for area in areas}.values():
        listing = operands.Listing(file.path, sorted(file.executed))
        for offset in file.executed:
            instruction = listing.at(offset)
            if instruction is None:
                raise RuntimeError(f"{file.path}: no instruction at {offset:#x}")
            found[file.base + offset] = (instruction, file.base)
    return found


def count(records, instructions, size: int) -> list[Counter]:
    """Transfers in the counted repetitions on each stack."""
    caches = Caches(size)
    marks, counted = 1, []
    for one in records:
        if one[0] < 0:
            marks += 1
            if marks % 3 == 2:
                caches.transfers.clear()
            elif marks % 3 == 0:
                counted.append(Counter(caches.transfers))
            continue
        registers = dict(zip(operands.REGISTERS, one[1:]))
        instruction, base = instructions.get(registers["rip"], (None, 0))
        if instruction is None:  # the kernel's page of functions
            continue
        for access in operands.accesses(instruction, registers, base):
            caches.access(one[0], access, registers["rip"] - base)
    return counted


def measure(folder: Path, runtime: Path, compiler: str, case: str, threads: int, show: bool):
    """By size of line: the most transfers in a repetition, of all stacks."""
    records, maps = record(folder, runtime, compiler, case, threads)
    instructions = disassemble(records, maps)
    worst = []
    for size in LINES:
        counted = count(records, instructions, size)
        most = max(counted, key=lambda one: one.total())
        worst.append(most.total() / COUNTED)
        if show:
            for (line, member, writes, why), times in sorted(most.items()):
                print(f"  {size:4} line {line * size:#x} member {member} {'writes' if writes else 'reads '} "
                      f"{times / COUNTED:5.2f} at {why:#x}")
    return worst


def main() -> int:
    parser = bounds.parser(__doc__)
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", action="store_true", help="say which lines moved, and where in the code")
    options = parser.parse_args()
    held = bounds.Bounds(BOUNDS, options)
    folder = options.build / "bench" / "transfers"
    for compiler in options.compilers.split(","):
        build(folder, compiler)
        of = held.all[compiler]
        for case in held.cases(of):
            worst = measure(folder, options.runtime.resolve(), compiler, case, options.threads, options.lines)
            held.check(of, case, max(worst), f"{compiler:6} {case:14} {worst[0]:6.2f} transfers, {worst[1]:6.2f} of pairs "
                       "of lines", max(worst), held=options.threads == 2)
    return held.end()


if __name__ == "__main__":
    sys.exit(main())
