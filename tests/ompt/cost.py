# SPDX-License-Identifier: Apache-2.0
"""An empty callback costs 10 ns at most, whatever the construct, on the average of those that one of its kind makes; more on
a machine that is slower than the one where the limit is meant (PACE_NS).

usage: cost.py PROGRAM TOOL
"""
import os
import subprocess
import sys

LIMIT_NS = 10
# Where the limit is meant: an uncontended addition, and 32 additions and stores that do not wait for each other.
PACE_NS = {"atomic": 2.3, "work": 4.5}
# The least of each time counts: a program on the other half of the core doubles some of them, for seconds at a time. Few
# tries could find a quiet moment only for the times with a tool, or only for those without.
TRIES, FEWEST_TRIES = 80, 5
# Callbacks of one lock and unlock, one barrier, and so on, on one thread.
EVENTS = {"lock": 3, "critical": 3, "barrier": 4, "loop": 3, "ordered": 3, "region": 8}
TASK_EVENTS = 3  # beside the record that each task has under a tool for tasks


def times(program, tool=None, **settings):
    env = dict(os.environ, OMP_NUM_THREADS="1", **settings)
    if tool is not None:
        env["OMP_TOOL_LIBRARIES"] = tool
    said = subprocess.run([program], env=env, capture_output=True, text=True, timeout=100, check=True).stdout
    return {name: float(ns) for name, ns in (line.split() for line in said.splitlines())}


def keep_least(least, found):
    for name, ns in found.items():
        least[name] = min(ns, least.get(name, ns))


def callbacks(without, with_records, with_callbacks):
    """Nanoseconds of one callback by construct."""
    found = {name: (with_callbacks[name] - without[name]) / events for name, events in EVENTS.items()}
    found["task"] = (with_callbacks["task"] - with_records["task"]) / TASK_EVENTS
    return found


def main():
    program, tool = sys.argv[1:]
    without, with_records, with_callbacks = {}, {}, {}
    for tried in range(TRIES):
        keep_least(without, times(program))
        keep_least(with_records, times(program, tool, EMPTY_RECORDS="1"))
        keep_least(with_callbacks, times(program, tool))
        found = callbacks(without, with_records, with_callbacks)
        slower = max(1, *(without[name] / ns for name, ns in PACE_NS.items()))
        print(", ".join(f"{name} {ns:.1f} ns" for name, ns in found.items()),
              f"; a record {with_records['task'] - without['task']:.0f} ns; the machine is slower by {slower:.2f}")
        if tried + 1 >= FEWEST_TRIES and max(found.values()) <= LIMIT_NS * slower:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
