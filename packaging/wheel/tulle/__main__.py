# SPDX-License-Identifier: Apache-2.0
"""python -m tulle run [SETTINGS] SCRIPT.py | -m MODULE | -c CODE | PROGRAM [ARGUMENTS]
python -m tulle info | threads | libdir

`run` loads Tulle and runs a script, a module or code in this interpreter, whose children load it too; of any
other program it becomes that, with LD_LIBRARY_PATH and LD_PRELOAD set. Settings stand for variables:
  -t LIST, --threads LIST   OMP_NUM_THREADS      --workers N      TULLE_WORKERS
  --policy NAME             TULLE_POLICY         --places PLACES  OMP_PLACES
  --bind LIST               OMP_PROC_BIND        --stacksize SIZE OMP_STACKSIZE
"""
from __future__ import annotations

import os
import runpy
import sys
from typing import NoReturn

from . import __version__, _runtime, info, libdir, preload, threads

_SETTINGS = {"-t": "OMP_NUM_THREADS", "--threads": "OMP_NUM_THREADS", "--workers": "TULLE_WORKERS",
             "--policy": "TULLE_POLICY", "--places": "OMP_PLACES", "--bind": "OMP_PROC_BIND",
             "--stacksize": "OMP_STACKSIZE"}


def _fail(text: str, status: int = 2) -> NoReturn:
    print(f"tulle: {text}", file=sys.stderr)
    sys.exit(status)


def _take_settings(words: list[str]) -> list[str]:
    while words and words[0].startswith("-") and words[0] not in ("-m", "-c"):
        option, given, value = words.pop(0).partition("=")
        if option == "--":
            break
        if option not in _SETTINGS:
            _fail(f"run: {option}: no such setting; there are {' '.join(_SETTINGS)}", 125)
        if not given:
            if not words:
                _fail(f"run: {option}: no value was given", 125)
            value = words.pop(0)
        os.environ[_SETTINGS[option]] = value
    return words


def _run_code(words: list[str]) -> None:
    code = words[1]
    sys.argv = ["-c", *words[2:]]
    sys.path[0] = ""
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    exec(compile(code, "<string>", "exec"), module.__dict__)  # as python -c does


def _become(words: list[str]) -> NoReturn:
    for name, value, separator in (("LD_LIBRARY_PATH", libdir(), ":"),
                                   ("LD_PRELOAD", os.path.join(libdir(), "libgomp.so.1"), " ")):
        old = os.environ.get(name)
        os.environ[name] = f"{value}{separator}{old}" if old else value
    try:
        os.execvp(words[0], words)
    except OSError as error:
        _fail(f"{words[0]}: {error.strerror}", 127 if isinstance(error, FileNotFoundError) else 126)


def _run(words: list[str]) -> None:
    words = _take_settings(words)
    if not words:
        _fail("run: no script was named", 125)
    if words[0] in ("-m", "-c") and len(words) < 2:
        _fail(f"run: {words[0]}: nothing follows", 125)
    if words[0] not in ("-m", "-c") and not words[0].endswith(".py"):
        _become(words)
    try:
        preload()
    except (_runtime.AlreadyLoaded, OSError) as error:
        _fail(str(error), 125)
    if words[0] == "-c":
        _run_code(words)
    elif words[0] == "-m":
        sys.argv = words[1:]
        sys.path[0] = ""
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        if not os.path.exists(words[0]):
            _fail(f"{words[0]}: No such file or directory", 127)
        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")


def _show_info() -> None:
    preload()
    known = info()
    cpus = known["cpus"]
    print(f"Tulle {known['version']}\n  {known['library']}\n")
    print(f"Usable CPUs: {cpus['usable']} of {cpus['online'] or cpus['allowed']}, {cpus['allowed']} in the affinity mask\n")
    width = max(map(len, known["controls"]))
    for name, control in known["controls"].items():
        print(f"  {name:{width}}  {control['value']}  ({control['origin']})")


def main() -> None:
    """The command line of this module."""
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
    elif words[0] == "--version":
        print(f"tulle {__version__}")
    elif words[0] == "run":
        _run(words[1:])
    elif words == ["info"]:
        _show_info()
    elif words == ["threads"]:
        print(threads())
    elif words == ["libdir"]:
        print(libdir())
    else:
        _fail(f"{words[0]}: no such command; there are run info threads libdir (python -m tulle --help)")


if __name__ == "__main__":
    main()
