#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions per task with dependences, in graphs of two sizes.

A chain, a fan (many tasks after one, one after all of them) and a wavefront cost the same for each task
however many there are. `growth.py RUNTIME_FOLDER BUILD_FOLDER`.
"""
import argparse
import sys
from pathlib import Path

from guard import build, count

SMALL, LARGE = 64, 256
MOST = 1.2  # cost of a task in the large graph, over that in the small one


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runtime", type=Path)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    folder = options.build / "bench" / "instructions"
    build(folder)
    failed = 0
    for case in ("depend_chain", "depend_fan", "depend_wavefront"):
        small, large = (count(folder, options.runtime.resolve(), case, n) / n for n in (SMALL, LARGE))
        grows = large > MOST * small
        failed += grows
        print(f"{case:17} {small:7.0f} instructions a task of {SMALL}, {large:7.0f} of {LARGE}"
              f"{' GROWS' if grows else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
