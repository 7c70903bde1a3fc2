# SPDX-License-Identifier: Apache-2.0
"""Fails if a file of src/ includes something of a layer above its own.

Lowest layer first; the rooms of src/omp are layers like the others. Layers that share a rank do not include each other. The porting layers are
reached by the name of their specification ("os/x.h", "arch/x.h"), which an include path into the
platform's folder resolves: no other layer names a platform.
"""
import pathlib
import re
import sys

RANKS = [["base"], ["arch"], ["os"], ["sync"], ["memory"], ["topology"], ["ult"], ["sched"],
         ["omp/graph"], ["omp/icv"], ["omp/places"], ["omp/queue"], ["omp/thread"], ["omp/tool"], ["omp/data"],
         ["omp/environment"], ["omp/binding"], ["omp/task"], ["omp/sync"], ["omp/replay"], ["omp/worksharing"],
         ["omp/region"], ["omp/target"], ["offload", "mpi", "ompt", "trace", "glt"],
         ["abi/gomp", "abi/kmp", "abi/api", "abi/libc"]]
RANK = {layer: rank for rank, layers in enumerate(RANKS) for layer in layers}
PLATFORM = {"arch", "os", "ult"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def layer_of(path):
    """The layer of a path relative to src/, or None."""
    parts = path.parts
    for depth in (2, 1):
        layer = "/".join(parts[:depth])
        if len(parts) > depth and layer in RANK:
            return layer
    return None


def resolve(source, file, name):
    """The included file relative to src/, wherever the compiler would find it; None if public."""
    beside = (file.parent / name).resolve()
    if beside.is_file() and beside.is_relative_to(source):
        return beside.relative_to(source)
    for folder in [source, *source.glob("arch/*/"), *source.glob("os/*/"), *source.glob("ult/*/")]:
        if (folder / name).is_file():
            return (folder / name).relative_to(source)
    return None


def faults(root):
    source = (root / "src").resolve()
    for file in sorted(p for p in source.rglob("*") if p.suffix in {".h", ".cpp", ".S", ".inc"}):
        inner = file.relative_to(source)
        own = layer_of(inner)
        if own is None:
            yield f"src/{inner}: in no known layer"
            continue
        for name in INCLUDE.findall(file.read_text()):
            target = resolve(source, file, name)
            if target is None:
                if not (root / "include" / name).is_file():
                    yield f'src/{inner}: cannot find "{name}"'
                continue
            other = layer_of(target)
            if other != own and (other is None or RANK[other] >= RANK[own]):
                yield f'src/{inner}: layer {own} includes "{name}" of {other}'
            elif other in PLATFORM and other != own and name.count("/") > 1:
                yield f'src/{inner}: "{name}" names a platform'


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(faults(root))
    print("\n".join(found) or "every include goes to its own layer or a lower one")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
