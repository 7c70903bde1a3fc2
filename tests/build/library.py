# SPDX-License-Identifier: Apache-2.0
"""The runtime needs libc alone, is called libgomp.so.1, stays loaded, and has all its names."""
import os
import re
import subprocess
import sys

NAMES = ["libgomp.so.1", "libgomp.so", "libomp.so.5", "libomp.so", "libiomp5.so",
         "libomptarget.so", *(f"libomptarget.so.{version}.1" for version in range(19, 23))]
ALLOWED = {"libc.so.6", "ld-linux-x86-64.so.2"}


def faults(folder):
    real = os.path.join(folder, "libgomp-tulle.so.1.0")
    for name in NAMES:
        if os.path.realpath(os.path.join(folder, name)) != os.path.realpath(real):
            yield f"{name} is not a link to {real}"
    dynamic = subprocess.run(["readelf", "-dW", real], capture_output=True, text=True,
                             check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    if needed - ALLOWED:
        yield f"needs {sorted(needed - ALLOWED)}"
    if re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) != ["libgomp.so.1"]:
        yield "SONAME is not libgomp.so.1"
    if "NODELETE" not in dynamic:
        yield "not marked NODELETE"
    if "TEXTREL" in dynamic:
        yield "has text relocations"
    segments = subprocess.run(["readelf", "-lW", real], capture_output=True, text=True,
                              check=True).stdout
    if re.search(r"GNU_STACK.*RWE", segments):
        yield "asks for an executable stack"


found = list(faults(sys.argv[1]))
print("\n".join(found) or "the library has the right shape")
sys.exit(1 if found else 0)
