# SPDX-License-Identifier: Apache-2.0
"""After its tools have left a program's constructs take as many instructions as if there had been none.

usage: left.py BENCH RUNTIME_FOLDER BUILD_FOLDER TOOL
"""
import sys
from pathlib import Path

sys.path[:0] = [sys.argv[1] + "/instructions", sys.argv[1] + "/harness"]
import guard  # noqa: E402

RUNTIME, BUILD, TOOL = Path(sys.argv[2]).resolve(), Path(sys.argv[3]), sys.argv[4]
CASES = ("region_one", "region_team", "region_nested", "barrier", "critical", "loop_dynamic", "task_tree", "task_alone")
folder = BUILD / "bench" / "instructions"
guard.build(folder)
failed = False
for case in CASES:
    for _ in range(48):  # the other worker is not stepped, and what it takes is missing in one count or the other
        without = guard.per_operation(folder, RUNTIME, case)
        left = guard.per_operation(folder, RUNTIME, case, OMP_TOOL_LIBRARIES=TOOL, EMPTY_LEAVES="1")
        if left <= 1.1 * without + 1:
            break
    else:
        failed = True
    print(f"{case:14} {without:7.1f} instructions, {left:7.1f} after a tool")
sys.exit(failed)
