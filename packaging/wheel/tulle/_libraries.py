# SPDX-License-Identifier: Apache-2.0
"""Which libraries of this process have threads of their own, and how many each would use."""
from __future__ import annotations

import ctypes
import os
from typing import NamedTuple

from ._runtime import in_use, is_runtime, libdir, mapped_files

# What a library is called, and the functions that say how many threads it uses, of which it has one.
_BLAS = {
    "openblas": ("openblas", ("openblas_get_num_threads", "openblas_get_num_threads64_",
                              "scipy_openblas_get_num_threads", "scipy_openblas_get_num_threads64_")),
    "blis": ("blis", ("bli_thread_get_num_threads",)),
    "mkl": ("mkl_rt", ("MKL_Get_Max_Threads",)),
}


class Library(NamedTuple):
    """One library with threads."""
    api: str                  # "openmp", "openblas", "blis" or "mkl"
    num_threads: int | None   # None: it does not say
    served_by: str            # "Tulle", "itself", or "its own threads"
    file: str


class Threads(list):
    """A list of Library that prints as a table."""

    def __str__(self) -> str:
        rows = [("API", "threads", "runs on", "file")]
        rows += [(item.api, "?" if item.num_threads is None else str(item.num_threads), item.served_by, item.file)
                 for item in self]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows)


def _number(library: ctypes.CDLL, functions: tuple[str, ...]) -> int | None:
    for name in functions:
        if hasattr(library, name):
            return int(getattr(library, name)())
    return None


def _look_at(file: str, ours: bool) -> Library | None:
    name = os.path.basename(file)
    if os.path.dirname(os.path.realpath(file)) == os.path.realpath(libdir()):
        if name != "libgomp.so.1":
            return None
        return Library("openmp", _number(ctypes.CDLL(file), ("omp_get_max_threads",)), "Tulle", file)
    if is_runtime(file):
        # Its own functions are asked, whoever is called under these names otherwise.
        number = _number(ctypes.CDLL(file), ("omp_get_max_threads",))
        return Library("openmp", number, "nothing: Tulle is called" if ours else "itself", file)
    for api, (part, functions) in _BLAS.items():
        if part in name and ".so" in name:
            library = ctypes.CDLL(file)
            number = _number(library, functions)
            if number is not None:
                return Library(api, number, _served_by(library, api, ours), file)
    return None


# OpenBLAS says 2 if it was built for OpenMP, and has pthreads of its own otherwise.
def _served_by(library: ctypes.CDLL, api: str, ours: bool) -> str:
    if api != "openblas":
        return "OpenMP"
    for name in ("openblas_get_parallel", "scipy_openblas_get_parallel", "scipy_openblas_get_parallel64_",
                 "openblas_get_parallel64_"):
        if hasattr(library, name):
            if int(getattr(library, name)()) == 2:
                return "Tulle" if ours else "OpenMP"
            break
    return "its own threads"


def threads() -> Threads:
    """Every OpenMP runtime and BLAS library that this process has loaded, with its number of threads.

    Prints as a table. A wheel's own runtime stands there too where Tulle is called in its place.
    """
    ours = in_use()
    found = (_look_at(file, ours) for file in mapped_files())
    return Threads(library for library in found if library is not None)
