# SPDX-License-Identifier: Apache-2.0
"""Tulle, an OpenMP runtime on user-level threads, under the wheels of this interpreter.

    import tulle
    tulle.preload()      # before the first import of a package that uses OpenMP
    import sklearn

or, without a line of code, TULLE=1 in the environment, or ``python -m tulle run script.py``.
``tulle.info()`` says what the runtime sees of the machine, ``tulle.threads()`` which libraries of this process
have threads, and how many.
"""
from ._libraries import Library, Threads, threads
from ._runtime import AlreadyLoaded, Info, NotLoaded, in_use, info, libdir, preload
from ._version import __version__

__all__ = ["AlreadyLoaded", "Info", "Library", "NotLoaded", "Threads", "__version__", "in_use", "info", "libdir",
           "preload", "threads"]
