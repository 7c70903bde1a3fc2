# SPDX-License-Identifier: Apache-2.0
"""What a program of the corpus is, and when two answers are the same."""
import math
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def nothing(_folder: Path) -> None:
    """For programs that make their input themselves."""


@dataclass(frozen=True)
class Program:
    """A program with an input, which `prepare` makes in a folder that each run gets a copy of.

    `answer` tells from a run's standard output and folder what it found. Numbers may differ by the relative
    `tolerance`: where a program adds up in the order in which its threads end, its own runtime's answers differ too.
    """
    name: str
    command: list[str]  # {threads} stands for their number
    about: str
    prepare: Callable[[Path], None] = nothing
    answer: Callable[[str, Path], str] = lambda output, _folder: output
    tolerance: float = 0.0
    package: str = ""  # Debian's; one of PyPI where `wheel` is
    wheel: str = ""
    refuses_many: bool = False  # it does not take more threads than CPUs

    def words(self, threads: int) -> list[str]:
        threads = min(threads, os.cpu_count() or 1) if self.refuses_many else threads
        return [word.replace("{threads}", str(threads)) for word in self.command]

    def is_there(self) -> bool:
        return shutil.which(self.command[0]) is not None


def is_close(one: str, other: str, tolerance: float) -> bool:
    if one == other:
        return True
    first, second = float(one), float(other)
    return math.isclose(first, second, rel_tol=tolerance, abs_tol=tolerance * 1e-3)


def is_same(one: str, other: str, tolerance: float) -> bool:
    """Whether two answers have the same text, and numbers that are as close as `tolerance` asks."""
    if one == other:
        return True
    if tolerance == 0.0 or NUMBER.split(one) != NUMBER.split(other):
        return False
    return all(is_close(*pair, tolerance) for pair in zip(NUMBER.findall(one), NUMBER.findall(other)))
