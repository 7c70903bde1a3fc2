# SPDX-License-Identifier: Apache-2.0
"""What the harness calls itself in its messages: `tulle bench` starts it under its own name."""
import sys


def is_tulle_bench() -> bool:
    return sys.argv[1:2] == ["--as-tulle-bench"]


def command() -> str:
    return "tulle bench" if is_tulle_bench() else "bench/run.py"
