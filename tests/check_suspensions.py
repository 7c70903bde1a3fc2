# SPDX-License-Identifier: Apache-2.0
"""Fails if a function that may suspend its caller does not say so.

usage: check_suspensions.py SOURCE_FOLDER ARCHIVE...
Whatever calls suspend(), directly or through others, must be declared TULLE_MAY_SUSPEND: what points into
thread-local storage must not live across it. The call graph is that of the object files, so what was inlined
counts as its caller's. Entry points of the compilers' interfaces are not looked at, for their headers are
not ours, and calls through pointers are not seen.
"""
import pathlib
import re
import subprocess
import sys

ROOTS = {"suspend", "take_back_later"}
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
CALL = re.compile(r"R_X86_64_(?:PLT32|PC32|GOTPCRELX?|REX_GOTPCRELX)\s+([\w.$]+)")
MARKED = re.compile(r"TULLE_MAY_SUSPEND\b([^;{]*?)\b(\w+)\s*\(", re.DOTALL)


def marked_in(folder):
    """Names of the functions that are declared so anywhere."""
    names = set()
    for file in pathlib.Path(folder).rglob("*"):
        if file.suffix in {".h", ".cpp"}:
            names |= {found.group(2) for found in MARKED.finditer(file.read_text())}
    return names


def calls_in(archive):
    """Caller and callee, mangled."""
    listed = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", archive], capture_output=True, text=True,
                            check=True).stdout
    caller = None
    for line in listed.splitlines():
        if found := FUNCTION.match(line):
            caller = found.group(1)
        elif caller and (found := CALL.search(line)):
            yield caller, found.group(1)


def demangled(symbols):
    plain = sorted({re.sub(r"\.(part|cold|isra|constprop)\.?\d*", "", s) for s in symbols})
    out = subprocess.run(["c++filt"], input="\n".join(plain), capture_output=True, text=True, check=True)
    return dict(zip(plain, out.stdout.splitlines()))


def last_name(signature):
    """`a::b<c>::name(d)`: name; of a lambda the function that it stands in."""
    signature = re.sub(r"\(anonymous namespace\)", "", signature)
    signature = re.split(r"::\{lambda", signature)[0]
    depth, bare = 0, ""
    for character in signature:
        depth += character == "<"
        if depth == 0:
            bare += character
        depth -= character == ">"
    return re.split(r"[\s:]+", bare.split("(")[0].strip())[-1]


def main():
    folder, *archives = sys.argv[1:]
    strip = lambda s: re.sub(r"\.(part|cold|isra|constprop)\.?\d*", "", s)
    edges = {(strip(a), strip(b)) for archive in archives for a, b in calls_in(archive)}
    names = {s: last_name(n) for s, n in demangled({s for edge in edges for s in edge}).items()}
    callers = {}
    for caller, callee in edges:
        callers.setdefault(callee, set()).add(caller)
    reached = {s for s in names if names[s] in ROOTS and s.startswith("_ZN5tulle")}
    if not reached:
        sys.exit("no function of the archives suspends: the check looks at the wrong ones")
    todo = list(reached)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                todo.append(caller)
    marked = marked_in(folder)
    faults = sorted({names[s] for s in reached if s.startswith("_ZN") and names[s] not in marked})
    for name in faults:
        print(f"{name} may suspend its caller, and is not declared TULLE_MAY_SUSPEND")
    print(f"{len(reached)} functions may suspend their caller, {len(faults)} do not say so")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
