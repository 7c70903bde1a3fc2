# SPDX-License-Identifier: Apache-2.0
"""Members of a team call back into Python, which keeps a state for each thread, and wait there for each
other. `callbacks.py LIBRARY THREADS`."""
import ctypes
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
threads = int(sys.argv[2])
own = threading.local()
seen = {}
wrong = []


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def callback(number):
    own.number = number
    for _ in range(3):
        library.meet()
        if own.number != number:
            wrong.append((own.number, number))
        seen.setdefault(threading.get_ident(), set()).add(number)


for _ in range(3):
    seen.clear()
    library.call_members(threads, callback)
    if wrong or sorted(seen.values(), key=min) != [{number} for number in range(threads)]:
        sys.exit(f"threads by their names: {seen}; others' numbers: {wrong}")
