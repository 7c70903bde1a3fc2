# SPDX-License-Identifier: Apache-2.0
"""Builds the benchmark programs with each compiler into build/bench/<compiler>/."""
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Driver by language; clang programs are linked with libomp.so.5, whichever serves it when they run.
COMPILERS = {
    "gcc": {".c": ["gcc", "-std=gnu11"], ".cpp": ["g++", "-std=c++20"], ".f90": ["gfortran"]},
    "clang": {".c": ["clang-22", "-std=gnu11"], ".cpp": ["clang++-22", "-std=c++20"],
              ".f90": ["flang-22"]},
}
FLAGS = ["-O2", "-g", "-fopenmp"]
WARNINGS = {".c": ["-Wall", "-Wextra"], ".cpp": ["-Wall", "-Wextra"], ".f90": []}
LINK = {".c": ["-rdynamic", "-lm", "-latomic"], ".cpp": ["-lm"], ".f90": []}


@dataclass(frozen=True)
class Program:
    name: str
    folder: Path

    def sources(self) -> list[Path]:
        return sorted(p for p in self.folder.iterdir() if p.suffix in (".c", ".cpp", ".f90"))

    def inputs(self) -> list[Path]:
        return [p for p in self.folder.iterdir() if p.suffix in (".c", ".cpp", ".f90", ".h", ".hpp")]


def programs() -> dict[str, Program]:
    found = {"constructs": Program("constructs", ROOT / "constructs")}
    for folder in sorted((ROOT / "workloads").glob("*/")):
        program = Program(folder.name, folder)
        if program.sources():
            found[program.name] = program
    return found


def available(compiler: str) -> bool:
    return shutil.which(COMPILERS[compiler][".c"][0]) is not None


def path_of(build: Path, compiler: str, program: str) -> Path:
    return build / "bench" / compiler / program


def _compile(build: Path, compiler: str, program: Program) -> str:
    """Compiles one program if it is out of date; returns the compiler's complaint, or nothing."""
    target = path_of(build, compiler, program.name)
    sources = program.sources()
    shared = [p for p in (ROOT / "workloads").glob("*.h*")]
    newest = max(p.stat().st_mtime for p in program.inputs() + shared)
    if target.exists() and target.stat().st_mtime >= newest:
        return ""
    target.parent.mkdir(parents=True, exist_ok=True)
    kind = sources[0].suffix
    driver = COMPILERS[compiler][kind]
    if not shutil.which(driver[0]):
        return f"{driver[0]} is not installed"
    command = [*driver, *FLAGS, *WARNINGS[kind], f"-I{ROOT / 'workloads'}", *map(str, sources),
               "-o", str(target), *LINK[kind]]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=target.parent)
    return answer.stderr if answer.returncode else ""


def build_all(build: Path, jobs: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Builds (compiler, program) pairs, two at a time; returns those that failed, with the reason."""
    known = programs()
    with ThreadPoolExecutor(2) as pool:
        complaints = pool.map(lambda job: _compile(build, job[0], known[job[1]]), jobs)
        return {job: text for job, text in zip(jobs, complaints) if text}
