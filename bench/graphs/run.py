#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The memory of task graphs beside P-SOCRATES, section 6.3.1: `run.py TULLE RUNTIME_FOLDER [--only table,heap] [--rounds N]`.

table  Table 6.1: the bytes of the matrix at its ten sizes, of graphs that a program's run writes down; half of the
       paper's bytes at most.
heap   Figure 6.14: the most that the process's heap grows while a graph runs for the first time, beside libgomp's dynamic
       graph of the same program; for a graph that is built by hand, or comes from a file, at most 0.3 of it.
Status 1: a bound does not hold. `bench/run.py --only cholesky,pathfinding,graphs` has both in its report, and Figure 6.13.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import graph_tables  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tulle", type=Path, help="the command")
    parser.add_argument("runtime", type=Path, help="the folder of libgomp.so.1")
    parser.add_argument("--only", default="table,heap")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tables = graph_tables.memory_tables(options.tulle, options.runtime, options.rounds, tuple(options.only.split(",")))
    print("\n\n".join(table.text() for table in tables))
    return 0 if all(table.holds for table in tables) else 1


if __name__ == "__main__":
    sys.exit(main())
