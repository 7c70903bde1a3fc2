# SPDX-License-Identifier: Apache-2.0
"""Tells how much of the machine other processes took while a run was going on.

Teams that spin lose three orders of magnitude when a stranger takes one of their cores, so a run
beside such a stranger says nothing about a runtime: it is repeated once the machine is quiet, and
marked if that does not come about within the patience given.
"""
import os
import time
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count() or 1
DISTURBED = 0.12  # share of all cores taken by others


@dataclass
class Patience:
    """Seconds that may still be spent on waiting for a quiet machine."""
    left: float


def busy_seconds() -> float:
    fields = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields[:8]
    return (user + nice + system + irq + softirq + steal) / TICK


class Watch:
    """Watches the machine from its making until `others()`."""

    def __init__(self) -> None:
        self.begin, self.busy = time.monotonic(), busy_seconds()

    def others(self, own_cpu: float) -> float:
        """Share of all cores that others took, beside `own_cpu` seconds of the watched run."""
        wall = time.monotonic() - self.begin
        taken = busy_seconds() - self.busy - own_cpu - 2 / TICK  # the counters' granularity
        return max(0.0, taken / (wall * CORES)) if wall > 0 else 0.0


def wait(patience: Patience) -> None:
    """Sleeps until others leave the machine alone for a moment, or patience ends."""
    while patience.left > 0:
        watch = Watch()
        time.sleep(min(0.25, patience.left))
        patience.left -= 0.25
        if watch.others(0.0) < DISTURBED:
            return
