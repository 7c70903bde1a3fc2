# SPDX-License-Identifier: Apache-2.0
"""Runs every case of one benchmark program for an instant on two and on five threads.

programs.py PROGRAM RUNTIME_FOLDER BUILD_FOLDER. Each case checks its own result; a Clang-built program
is run as well where the compiler is installed.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from harness import build  # noqa: E402

LONG = ("octree_large", "nested_1000", "metg_")  # too long for an instant
INSTANT = ["--samples", "1", "--target-ms", "0.5", "--budget-s", "0.05"]
THREADS = ("2", "5")


def run(program: Path, runtime: Path, case: str, threads: str) -> str:
    """What went wrong, or nothing."""
    env = {**os.environ, "LD_LIBRARY_PATH": str(runtime)}
    try:
        answer = subprocess.run([str(program), "--case", case, "--threads", threads, *INSTANT],
                                env=env, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "no end after 60 s"
    if answer.returncode:
        return f"exit {answer.returncode} {answer.stderr.strip()}"
    result = json.loads(answer.stdout)
    if Path(result["runtime"]).parent.resolve() != runtime:
        return f"ran on {result['runtime']}"
    return "" if result["ok"] and result["median"] > 0 else "no result"


def main() -> int:
    name, runtime, folder = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3])
    compilers = [c for c in build.COMPILERS if c == "gcc" or build.available(c)]
    failures = 0
    for compiler in compilers:
        complaint = build.build_all(folder, [(compiler, name)])
        if complaint:
            print(f"{compiler}: {complaint}")
            failures += 1
            continue
        program = build.path_of(folder, compiler, name)
        listed = subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True,
                                env={**os.environ, "LD_LIBRARY_PATH": str(runtime)})
        for case in (c for c in listed.stdout.split() if not c.startswith(LONG)):
            for threads in THREADS:
                wrong = run(program, runtime, case, threads)
                failures += bool(wrong)
                if wrong:
                    print(f"{compiler} {case} {threads} threads: {wrong}", flush=True)
    print(f"{name}: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
