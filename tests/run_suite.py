#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest and shows the output of the tests that failed together, right before its summary.

usage: run_suite.py BUILD_FOLDER CTEST_ARGUMENT...
Where tests run side by side ctest shows a failure wherever it comes, among hundreds of others. The
exit status is ctest's, and its summary stays last.
"""
import re
import subprocess
import sys
from pathlib import Path

SUMMARY = re.compile(r"^\d+% tests passed")
LONGEST = 200  # lines of one test


def failed_outputs(folder: Path):
    """Name and section of the log of each test that failed in the last run."""
    failed, log = folder / "LastTestsFailed.log", folder / "LastTest.log"
    if not failed.exists() or not log.exists():
        return
    names = [line.split(":", 1)[1] for line in failed.read_text().splitlines() if ":" in line]
    sections = re.split(r"^\d+/\d+ Testing: ", log.read_text(errors="replace"), flags=re.MULTILINE)
    for section in sections[1:]:
        name, _, output = section.partition("\n")
        if name in names:
            yield name, output.rstrip().splitlines()


def main() -> int:
    folder = Path(sys.argv[1]) / "Testing" / "Temporary"
    summary = []
    (folder / "LastTestsFailed.log").unlink(missing_ok=True)
    ctest = subprocess.Popen(["ctest", *sys.argv[2:]], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace")
    for line in ctest.stdout:
        if summary or SUMMARY.match(line):
            summary.append(line)
        else:
            print(line, end="", flush=True)
    status = ctest.wait()
    for name, output in failed_outputs(folder) if status else ():
        print(f"\n==== failed: {name}")
        print("\n".join(output[-LONGEST:]))
    print("\n" + "".join(summary), end="", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
