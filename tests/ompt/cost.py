# SPDX-License-Identifier: Apache-2.0
"""An empty callback costs 10 ns at most, whatever the construct, on the average of those that one of its kind makes; more on
a machine that is slower than the one where an atomic addition takes 2.3 ns.

usage: cost.py PROGRAM TOOL
"""
import os
import subprocess
import sys

LIMIT_NS = 10
ATOMIC_NS = 2.3  # of an uncontended addition, where the limit is meant
TRIES = 20  # other programs on the machine take caches and frequency
# Callbacks of one lock and unlock, one barrier, and so on, on one thread.
EVENTS = {"lock": 3, "critical": 3, "barrier": 4, "loop": 3, "ordered": 3, "region": 8}
TASK_EVENTS = 3  # beside the record that each task has under a tool for tasks


def times(program, tool=None, **settings):
    env = dict(os.environ, OMP_NUM_THREADS="1", **settings)
    if tool is not None:
        env["OMP_TOOL_LIBRARIES"] = tool
    said = subprocess.run([program], env=env, capture_output=True, text=True, timeout=100, check=True).stdout
    return {name: float(ns) for name, ns in (line.split() for line in said.splitlines())}


def measure(program, tool):
    """Nanoseconds of one callback by construct, and of a task's record."""
    without, with_records, with_callbacks = times(program), times(program, tool, EMPTY_RECORDS="1"), times(program, tool)
    found = {name: (with_callbacks[name] - without[name]) / events for name, events in EVENTS.items()}
    found["task"] = (with_callbacks["task"] - with_records["task"]) / TASK_EVENTS
    return found, with_records["task"] - without["task"], max(1, without["atomic"] / ATOMIC_NS)


def main():
    for _ in range(TRIES):
        found, record, slower = measure(*sys.argv[1:])
        print(", ".join(f"{name} {ns:.1f} ns" for name, ns in found.items()), f"; a record {record:.0f} ns; "
              f"the machine is slower by {slower:.2f}")
        if max(found.values()) <= LIMIT_NS * slower:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
