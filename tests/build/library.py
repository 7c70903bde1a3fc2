# SPDX-License-Identifier: Apache-2.0
"""The runtime needs libc alone, is called libgomp.so.1, stays loaded, is hardened, and has all its names."""
import os
import re
import subprocess
import sys

NAMES = ["libgomp.so.1", "libgomp.so", "libomp.so.5", "libomp.so", "libiomp5.so",
         "libomptarget.so", *(f"libomptarget.so.{version}.1" for version in range(19, 23))]
ALLOWED = {"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


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
    symbols = subprocess.run(["nm", "-D", real], capture_output=True, text=True, check=True).stdout
    if not re.search(r"U __stack_chk_fail\b", symbols):
        yield "has no stack protector"


def control_flow_faults(archive):
    """Of the files of assembly: the compiler marks its own where it is told to. No shadow stacks are kept."""
    notes = subprocess.run(["readelf", "-n", archive], capture_output=True, text=True, check=True).stdout
    for member in re.split(r"^File: ", notes, flags=re.MULTILINE):
        if not re.match(r".*\.S\.o\)", member):
            continue
        name = member.split("\n", 1)[0]
        features = re.search(r"x86 feature: (.*)", member)
        if features is None or "IBT" not in features[1]:
            yield f"{name} keeps indirect branches from being tracked"
        elif "SHSTK" in features[1]:
            yield f"{name} claims to keep shadow stacks"


found = [*faults(sys.argv[1]), *(control_flow_faults(sys.argv[2]) if len(sys.argv) > 2 else ())]
print("\n".join(found) or "the library has the right shape")
sys.exit(1 if found else 0)
