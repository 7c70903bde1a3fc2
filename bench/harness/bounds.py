# SPDX-License-Identifier: Apache-2.0
"""Counts that repeat exactly, held against bounds in a file: what counters of instructions and of transfers share."""
import argparse
import json
from pathlib import Path


def parser(description: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("runtime", type=Path)
    made.add_argument("build", type=Path)
    made.add_argument("--only", help="cases, separated by commas")
    made.add_argument("--update", action="store_true", help="store what was counted as the new bounds")
    return made


class Bounds:
    """Of one run: the file's, by case or by group and case, and whether a count was above its own."""

    def __init__(self, file: Path, options: argparse.Namespace):
        self.file, self.options = file, options
        self.all = json.loads(file.read_text())
        self.exceeded = False

    def cases(self, of: dict) -> list[str]:
        return self.options.only.split(",") if self.options.only else list(of)

    def check(self, of: dict, case: str, counted: float, line: str, stored: float, held: bool = True) -> None:
        """Prints `line` and the case's bound in `of`, in whose place `stored` comes for an update."""
        over = held and counted > of[case]
        self.exceeded = self.exceeded or over
        print(f"{line}, bound {of[case]}{' EXCEEDED' if over else ''}", flush=True)
        of[case] = stored

    def end(self) -> int:
        """The status of the run."""
        if not self.options.update:
            return 1 if self.exceeded else 0
        self.file.write_text(json.dumps(self.all, indent=1) + "\n")
        return 0
