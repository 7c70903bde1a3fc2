# SPDX-License-Identifier: Apache-2.0
"""gdb shows whole backtraces in user-level threads, and the extension lists the suspended ones.

Usage: gdb.py GDB PROGRAM RUNTIME_DIR EXTENSION
"""
import os
import re
import subprocess
import sys

gdb, program, runtime, extension = sys.argv[1:]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, DEBUGINFOD_URLS="")
commands = ["set pagination off", "set confirm off", "break stop_here", "run", "echo == here\\n",
            "backtrace", "echo == ults\\n", f"source {extension}", "tulle ults", "echo == again\\n",
            "backtrace", "echo == rest\\n", "delete", "continue"]
arguments = [gdb, "-nx", "-batch"] + [part for c in commands for part in ("-ex", c)]
run = subprocess.run(arguments + [program], env=environment, capture_output=True, text=True,
                     timeout=300)
text = run.stdout + run.stderr
found = []


def section(name):
    match = re.search(rf"^== {name}\n(.*?)(?=^== |\Z)", text, re.MULTILINE | re.DOTALL)
    return match.group(1) if match else ""


def check(condition, message):
    if not condition:
        found.append(message)


for name in ("here", "again"):
    trace = section(name)
    check("stop_here" in trace and "wait_here" in trace, f"{name}: no backtrace of the running ULT")
    check(re.search(r"tulle_context_start|in main \(", trace), f"{name}: its end is missing")
ults = section("ults")
# Each backtrace of a suspended one: from the wait up to where its stack begins.
traces = re.split(r"^ULT \d+: ", ults, flags=re.MULTILINE)[1:]
check(len(traces) >= 8, f"{len(traces)} suspended ULTs of 16 threads, some of which may poll")
for trace in traces:
    check(re.match(r"thread \d+ of 16, level 1", trace), "a ULT without the name of its thread")
    check("wait_here" in trace and "omp::barrier" in trace, "a ULT without its frames")
    check(re.search(r"tulle_context_start|main \(", trace), "a ULT's backtrace without an end")
check(f"{len(traces)} suspended" in ults, "the count is missing")
# Its end is not looked at: gdb 13 now and then asks for the registers of a thread that has just ended.
check("all have come" in section("rest"), "the program does not go on")
for word in ("corrupt stack", "Backtrace stopped", "Python Exception", "Traceback", "Error"):
    check(word not in text, f"gdb says: {word}")
if found:
    print(text)
print("\n".join(found) or f"{len(traces)} suspended ULTs with whole backtraces")
sys.exit(1 if found else 0)
