#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each call of libtulle-mpi's table is made where the table says that it is tested, and each that is
converted from Fortran too: `table.py TABLE FOLDER`."""
import re
import sys
from pathlib import Path


def main():
    table, folder = map(Path, sys.argv[1:])
    fortran = (folder / "fortran.F90").read_text()
    faults = []
    for line in table.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        call, kind, *_, test = line.split()
        if kind == "untouched":
            continue
        made = re.compile(rf"\b{call}\s*\(", re.IGNORECASE)
        if not made.search((folder / test).read_text()):
            faults.append(f"{call}: not in {test}")
        if kind in ("posted", "collective", "mpich", "own") and not made.search(fortran):
            faults.append(f"{call}: not in fortran.F90")
    sys.exit("\n".join(faults) or 0)


main()
