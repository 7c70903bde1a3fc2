# SPDX-License-Identifier: Apache-2.0
"""Runtimes as folders to put on LD_LIBRARY_PATH.

Tulle's folder comes from its build. Each peer gets a folder of symbolic links under
build/bench/peers: libomp and libiomp5 also carry libgomp's interface, so they stand under
GCC-built programs as libgomp.so.1.
"""
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

GCC_NAME = "libgomp.so.1"
CLANG_NAME = "libomp.so.5"
PEERS = ("libgomp", "libomp", "libiomp5")


@dataclass(frozen=True)
class Runtime:
    name: str
    folder: Path

    def serves(self, compiler: str) -> bool:
        return (self.folder / (CLANG_NAME if compiler == "clang" else GCC_NAME)).exists()

    @property
    def is_peer(self) -> bool:
        return self.name in PEERS


def _system_libgomp() -> Path | None:
    answer = subprocess.run(["gcc", f"-print-file-name={GCC_NAME}"], capture_output=True, text=True)
    path = Path(answer.stdout.strip())
    return path.resolve() if path.is_absolute() and path.exists() else None


def _wheel_library(name: str) -> Path | None:
    prefix = Path(sys.prefix)
    found = [prefix / "lib" / name, *prefix.glob(f"lib/python*/site-packages/cmeel.prefix/lib/{name}")]
    return next((path.resolve() for path in found if path.exists()), None)


def _link(folder: Path, library: Path, names: tuple[str, ...]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        link = folder / name
        if link.is_symlink() and link.resolve() == library:
            continue
        link.unlink(missing_ok=True)
        link.symlink_to(library)
    return folder


def _peer_folder(name: str, build: Path) -> Path | None:
    folder = build / "bench" / "peers" / name
    if name == "libgomp":
        library = _system_libgomp()
        return _link(folder, library, (GCC_NAME,)) if library else None
    library = _wheel_library(f"{name}.so")
    names = (GCC_NAME, CLANG_NAME, "libomp.so", "libiomp5.so")
    return _link(folder, library, names) if library else None


def select(wanted: list[str], build: Path, tulle: Path | None = None) -> tuple[list[Runtime], list[str]]:
    """The runtimes for names like `libomp`, `tulle` or `NAME=FOLDER`, and what was not found."""
    runtimes, missing = [], []
    for item in wanted:
        name, _, given = item.partition("=")
        if given:
            folder = Path(given).resolve()
        elif name in PEERS:
            folder = _peer_folder(name, build)
        else:
            folder = (tulle or build / "release" / "lib").resolve()
        if folder and (folder / GCC_NAME).exists():
            runtimes.append(Runtime(name, folder))
        else:
            missing.append(item)
    return runtimes, missing


def versions() -> dict[str, str]:
    """Versions of the peers and compilers, as they report them."""
    from importlib import metadata

    found = {}
    for key, command in {"gcc": ["gcc", "--version"], "clang": ["clang-22", "--version"],
                         "gfortran": ["gfortran", "--version"]}.items():
        try:
            answer = subprocess.run(command, capture_output=True, text=True)
            found[key] = answer.stdout.splitlines()[0] if answer.stdout else ""
        except OSError:
            continue
    library = _system_libgomp()
    if library:
        found["libgomp"] = f"{library.name} of {found.get('gcc', 'gcc')}"
    for key, package in {"libomp": "cmeel-libomp", "libiomp5": "intel-openmp"}.items():
        try:
            found[key] = f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            continue
    return found
