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
_C_LINK = ["-rdynamic", "-lm", "-latomic"]
LINK = {".c": _C_LINK, ".cpp": _C_LINK, ".f90": _C_LINK}


@dataclass(frozen=True)
class Program:
    name: str
    folders: tuple[Path, ...]

    def _files(self, suffixes: tuple[str, ...]) -> list[Path]:
        return sorted(p for f in self.folders for p in f.iterdir() if p.suffix in suffixes)

    def sources(self) -> list[Path]:
        return self._files((".c", ".cpp", ".f90"))

    def newest_input(self) -> float:
        return max(p.stat().st_mtime for p in self._files((".c", ".cpp", ".f90", ".h")))


def programs() -> dict[str, Program]:
    frame = ROOT / "frame"
    found = {"constructs": Program("constructs", (frame, ROOT / "constructs")),
             "process": Program("process", (ROOT / "process",))}
    for folder in sorted((ROOT / "workloads").glob("*/")):
        found[folder.name] = Program(folder.name, (frame, folder))
    return found


def include_options() -> list[str]:
    """The headers of include/tulle: beside the sources, or where they are installed with this."""
    return [f"-I{ROOT.parent / 'include'}", f"-I{ROOT.parents[2] / 'include'}"]


def driver(compiler: str) -> str:
    return COMPILERS[compiler][".c"][0]


def available(compiler: str) -> bool:
    return shutil.which(driver(compiler)) is not None


def path_of(build: Path, compiler: str, program: str) -> Path:
    return build / "bench" / compiler / program


def _call(command: list[str], folder: Path) -> str:
    try:
        answer = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    return answer.stderr if answer.returncode else ""


def _compile(build: Path, compiler: str, program: Program) -> str:
    """Compiles one program if it is out of date; returns the compiler's complaint, or nothing."""
    target = path_of(build, compiler, program.name)
    if target.exists() and target.stat().st_mtime >= program.newest_input():
        return ""
    folder = build / "bench" / compiler / "objects" / program.name
    folder.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{path}" for path in program.folders] + include_options()
    objects, kinds = [], set()
    for source in program.sources():
        kind = source.suffix
        output = folder / f"{source.name}.o"
        complaint = _call([*COMPILERS[compiler][kind], *FLAGS, *WARNINGS[kind], *includes, "-c",
                           str(source), "-o", str(output)], folder)
        if complaint:
            return complaint
        objects.append(str(output))
        kinds.add(kind)
    linker = next(kind for kind in (".f90", ".cpp", ".c") if kind in kinds)
    return _call([COMPILERS[compiler][linker][0], *FLAGS, *objects, "-o", str(target), *LINK[linker]],
                 folder)


def build_all(build: Path, jobs: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Builds (compiler, program) pairs, two at a time; returns those that failed, with the reason."""
    known = programs()
    with ThreadPoolExecutor(2) as pool:
        complaints = pool.map(lambda job: _compile(build, job[0], known[job[1]]), jobs)
        return {job: text for job, text in zip(jobs, complaints) if text}
