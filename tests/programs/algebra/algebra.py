# SPDX-License-Identifier: Apache-2.0
"""Linear algebra with numpy, from one thread and from four, in the process and in a child after fork().

Prints one number for each part, and the file of the OpenMP runtime in use.
"""
import os
import threading

import numpy

random = numpy.random.default_rng(5)
a = random.normal(size=(500, 500))
b = random.normal(size=(500, 40))
symmetric = a @ a.T


def everything():
    return [
        ("product", float(numpy.abs(a @ a).sum())),
        ("solution", float(numpy.abs(numpy.linalg.solve(a, b)).sum())),
        ("eigenvalues", float(numpy.linalg.eigvalsh(symmetric).sum())),
        ("singular values", float(numpy.linalg.svd(a, compute_uv=False).sum())),
        ("inverse", float(numpy.abs(numpy.linalg.inv(symmetric + numpy.eye(500))).sum())),
    ]


def show(where, results):
    for what, value in results:
        print(f"{where}: {what} = {value:.9e}", flush=True)


show("initial thread", everything())
found = [None] * 4


def in_thread(i):
    found[i] = everything()


threads = [threading.Thread(target=in_thread, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for i, results in enumerate(found):
    show(f"thread {i}", results)

if os.environ.get("FORK") == "1":
    child = os.fork()
    if child == 0:
        show("child", everything())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

with open("/proc/self/maps", encoding="ascii") as maps:
    loaded = {line.split()[-1] for line in maps if "libgomp" in line or "openblas" in line}
print("\n".join(f"loaded: {path}" for path in sorted(loaded)))
