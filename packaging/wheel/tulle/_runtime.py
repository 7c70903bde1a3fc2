# SPDX-License-Identifier: Apache-2.0
"""The runtime in this process: loading it before any other, and asking it."""
from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, TypedDict

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
_NAME = "libgomp.so.1"
_OTHER_NAMES = ("libomp.so.5", "libiomp5.so")
_RUNTIMES = ("libgomp", "libomp", "libiomp5")

_library: ctypes.CDLL | None = None  # W: preload(), once


class AlreadyLoaded(RuntimeError):
    """Another OpenMP runtime is in this process already, and what uses it goes on with it."""


class NotLoaded(RuntimeError):
    """The runtime is not in this process."""


class Info(TypedDict):
    """What info() returns."""
    version: str
    library: str
    cpus: dict[str, Any]
    controls: dict[str, dict[str, str | None]]


def libdir() -> str:
    """The folder that holds libgomp.so.1 and the other names, for LD_LIBRARY_PATH of other programs."""
    return _FOLDER


def mapped_files() -> list[str]:
    """The files of this process's libraries, in the order of their addresses."""
    files: dict[str, None] = {}
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(None, 5)
            if len(fields) == 6 and fields[5].startswith("/"):
                files[fields[5]] = None
    return list(files)


def is_runtime(file: str) -> bool:
    """Whether the file's name is that of an OpenMP runtime, a wheel's renamed one included."""
    name = os.path.basename(file)
    return ".so" in name and name.split(".so")[0].split("-")[0].split(".")[0] in _RUNTIMES


def _is_ours(file: str) -> bool:
    return os.path.dirname(os.path.realpath(file)) == os.path.realpath(_FOLDER)


def in_use() -> bool:
    """Whether the runtime is loaded in this process."""
    return any(_is_ours(file) and os.path.basename(file) == _NAME for file in mapped_files())


def preload(children: bool = True) -> None:
    """Loads the runtime, so that everything imported from now on runs on it.

    With ``children`` the interpreters that this process starts load it too, each by itself: TULLE=1 is put into
    the environment, and no other program sees anything.

    Raises AlreadyLoaded where another OpenMP runtime is in the process: nothing is changed then. To call it twice
    is fine.
    """
    global _library
    if sys.platform != "linux":
        raise OSError("Tulle runs on Linux")
    if _library is None:
        if not in_use():
            other = next((file for file in mapped_files() if is_runtime(file) and not _is_ours(file)), None)
            if other is not None:
                raise AlreadyLoaded(f"{other} is in use already: call tulle.preload() before the first import of a "
                                    "package that uses OpenMP, or set TULLE=1 in the environment")
        library = ctypes.CDLL(os.path.join(_FOLDER, _NAME), mode=ctypes.RTLD_GLOBAL)
        for name in _OTHER_NAMES:
            ctypes.CDLL(os.path.join(_FOLDER, name), mode=ctypes.RTLD_GLOBAL)
        _library = library
    if children:
        os.environ["TULLE"] = "1"


def preload_at_start() -> None:
    """What the interpreter does at its start where TULLE=1 is set: a line instead of an exception."""
    try:
        preload()
    except (AlreadyLoaded, OSError) as error:
        print(f"tulle: {error}", file=sys.stderr)


class _Cpus(ctypes.Structure):
    _fields_ = [("online", ctypes.c_int), ("allowed", ctypes.c_int), ("quota", ctypes.c_double),
                ("quota_version", ctypes.c_int), ("quota_group", ctypes.c_char_p), ("usable", ctypes.c_int)]


class _Control(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("name", "value", "origin", "set_by", "accepts", "meaning")]


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def info() -> Info:
    """The version, the usable processors and why, and each control variable with its value and origin.

    Raises NotLoaded before preload().
    """
    if _library is None and in_use():
        preload(children=False)
    if _library is None:
        raise NotLoaded("call tulle.preload() first")
    cpus: dict[str, Any] = {}
    controls: dict[str, dict[str, str | None]] = {}

    def take_cpus(_context: int | None, given: Any) -> None:
        for name, _ in _Cpus._fields_:
            value = getattr(given.contents, name)
            cpus[name] = _text(value) if isinstance(value, bytes) else value

    def take_control(_context: int | None, given: Any) -> None:
        values = {name: _text(getattr(given.contents, name)) for name, _ in _Control._fields_}
        controls[str(values.pop("name"))] = values

    by_cpus = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Cpus))(take_cpus)
    by_control = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Control))(take_control)
    _library.tulle_ask_cpus(by_cpus, None)
    _library.tulle_each_control(by_control, None)
    _library.tulle_version.restype = ctypes.c_char_p
    return {"version": str(_text(_library.tulle_version())), "library": os.path.join(_FOLDER, _NAME), "cpus": cpus,
            "controls": controls}
