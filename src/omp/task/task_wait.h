// SPDX-License-Identifier: Apache-2.0
// Waiting for tasks, and giving way to them.
#pragma once

#include <cstdint>

#include "base/look.h"
#include "omp/task/task.h"

namespace tulle::omp {

// For the children of the current task.
TULLE_MAY_SUSPEND void taskwait(Thread* thread);
TULLE_MAY_SUSPEND void taskyield(Thread* thread);
// The calling OS thread's member, if it runs one, lets whoever it waits for go first (sched/give_way.h). False: it
// runs none, or is in a blocking section or inside a library; or in an explicit task: while that is suspended others
// run in its thread's name, and they may be waiting for what it holds.
TULLE_MAY_SUSPEND bool give_way();

// The group lies in the frame of the calling task until taskgroup_end() returns.
void taskgroup_begin(Thread* thread, TaskGroup* group);
TULLE_MAY_SUSPEND void taskgroup_end(Thread* thread);

// At the join: returns when all explicit tasks of the team are complete.
TULLE_MAY_SUSPEND void finish_tasks(Thread* thread);
// After the join of a region whose tasks left more memory than is kept: it is given back after a while.
TULLE_COLD void leave_burst(Thread* thread);
// After the arrival at the counter of a barrier with tasks: returns when phase `phase` is complete.
TULLE_MAY_SUSPEND void run_tasks_at_barrier(Thread* thread, uint32_t phase);

// Calls the newest task of this worker's queue if it is a child of `parent`, the current task. False: none was.
TULLE_MAY_SUSPEND bool run_child(Thread* thread, const Task* parent);

// The implicit task waits, or may have waited: a stretch ends (task_choice.h).
inline void end_stretch(Thread* thread) {
  if (TULLE_LIKELY(!thread->times)) return;
  thread->times = false;
  ++thread->stretches;
}

// Tasks of the team go first, if some are queued; in this thread's name, too: it is lent while what it stands for
// waits.
TULLE_MAY_SUSPEND void give_way_to_tasks(Team* team);

}  // namespace tulle::omp
