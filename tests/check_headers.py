# SPDX-License-Identifier: Apache-2.0
"""Fails if a header of src/ declares functions of too many files: it says what one file offers, or a few that are one.

usage: check_headers.py ROOT
Functions at namespace level that are declared in a header and defined in one .cpp of the same layer count.
"""
import collections
import pathlib
import re
import sys

MOST = 3  # files
# One table each: what tools are told of, by kind of event; the slots of work shares, by kind of construct.
ALLOWED = {"src/omp/tool/events.h": 5, "src/omp/worksharing/work_share_table.h": 5}
BEFORE_NAME = r"^(?!\s)(?!.*\b(?:inline|static|using|typedef|return|friend)\b)[\w:<>,\*&\[\] ]+?[ \*&]"
DECLARED = re.compile(BEFORE_NAME + r"(\w+)\([^;{]*?\)(?: noexcept)?;", re.MULTILINE)
DEFINED = re.compile(BEFORE_NAME + r"(\w+)\([^;{}]*\)(?: noexcept)?(?: TULLE_\w+(?:\([^)]*\))?)*\s*\{", re.MULTILINE)


def files_of_headers(root):
    """For each header, the files that define what it declares."""
    definers = collections.defaultdict(set)
    for file in root.glob("src/**/*.cpp"):
        for name in DEFINED.findall(file.read_text()):
            definers[layer(root, file), name].add(file.name)
    for header in sorted(root.glob("src/**/*.h")):
        found = (definers[layer(root, header), name] for name in DECLARED.findall(header.read_text()))
        yield header.relative_to(root).as_posix(), {next(iter(files)) for files in found if len(files) == 1}


def layer(root, file):
    return file.relative_to(root / "src").parts[0]


def main():
    status = 0
    for header, files in files_of_headers(pathlib.Path(sys.argv[1])):
        if len(files) > ALLOWED.get(header, MOST):
            print(f"{header} declares functions of {len(files)} files: {', '.join(sorted(files))}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
