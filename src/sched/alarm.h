// SPDX-License-Identifier: Apache-2.0
// Whether the monitor watches: armed by who leaves work behind a running entity (arm_monitor,
// sched/publish.h), alarmed by who needs it at once.
// Ordering: who has slept sees that `asleep` is 0, passes a hot fence and reads whether tasks were left to sleepers; the
// monitor says so, issues the heavy fence and looks whether all sleep. Who leaves work behind pushes it, passes a hot fence and reads `armed`; the monitor clears
// `armed`, issues the heavy fence and looks at all runqueues: one of the two sees the other.
#pragma once

#include <cstdint>

#include "base/cacheline.h"

namespace tulle::sched {

// Starts the monitor's OS thread, at the first need; false: the system refuses. W: configure().
extern TULLE_NEAR bool (*monitor_starter)();

// A worker is away and nobody stands for it: the monitor has to act now. In a signal handler too.
void alarm_monitor();

// It stops waiting, for good: the pool ends, and that is published.
void wake_monitor();

// Monitor: returns after `patience`, or when it is needed at once: true.
bool await_alarm(uint64_t patience);
// Monitor: nobody waits as far as it saw; it has to look once more.
void disarm_monitor();
// Monitor: it leaves what tasks may come to sleepers: who wakes up arms it. Before it disarms itself.
void leave_tasks_to_sleepers(bool left);
// A worker: its sleep has ended.
void note_awake();
// Monitor: returns when it is armed, or the pool ends: true; or after `patience`.
bool await_arming(uint64_t patience);

void reset_alarm();  // there is no monitor, and no spare

}  // namespace tulle::sched
