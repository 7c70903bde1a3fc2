# SPDX-License-Identifier: Apache-2.0
"""Fails if more than a few modules of a layer call each other in a circle.

usage: check_circles.py ARCHIVE:MOST...
A module is an object file: a source with what its headers inline. It calls another one if it has an
undefined symbol that the other one defines. MOST is how many modules a circle may have at most: two that belong
together may call each other, but what is understood only as a whole should be one module.
"""
import pathlib
import re
import subprocess
import sys


def symbols(archive):
    """For each module of the archive: what it defines, and what it needs."""
    listed = subprocess.run(["nm", "-A", archive], capture_output=True, text=True, check=True).stdout
    modules = {}
    for line in listed.splitlines():
        found = re.match(r".*:([^:]+)\.o:[0-9a-f ]* ([A-Za-z]) (.+)$", line)
        if not found:
            continue
        name, kind, symbol = found.groups()
        defined, needed = modules.setdefault(name.removesuffix(".cpp"), (set(), set()))
        if kind == "U":
            needed.add(symbol)
        elif kind.isupper() and kind not in "WV":  # what headers inline is everybody's
            defined.add(symbol)
    return modules


def calls(modules):
    owner = {symbol: name for name, (defined, _) in modules.items() for symbol in defined}
    return {name: {owner[s] for s in needed if s in owner and owner[s] != name}
            for name, (_, needed) in modules.items()}


def circles(edges):
    """Sets of modules that reach each other (Tarjan's components), without single ones."""
    index, low, stack, found = {}, {}, [], []

    def visit(module):
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in edges[module]:
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            at = stack.index(module)
            found.append(stack[at:])
            del stack[at:]

    for module in edges:
        if module not in index:
            visit(module)
    return [circle for circle in found if len(circle) > 1]


def main():
    status = 0
    for argument in sys.argv[1:]:
        archive, _, most = argument.rpartition(":")
        edges = calls(symbols(archive))
        name = pathlib.Path(archive).stem
        largest = 0
        for circle in circles(edges):
            largest = max(largest, len(circle))
            if len(circle) > int(most):
                status = 1
                print(f"{name}: {len(circle)} modules call each other in a circle, at most {most} may:")
                for module in sorted(circle):
                    print(f"  {module} calls {', '.join(sorted(edges[module] & set(circle)))}")
        print(f"{name}: {len(edges)} modules, the largest circle has {largest}")
    return status


if __name__ == "__main__":
    sys.exit(main())
