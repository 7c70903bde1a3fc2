// SPDX-License-Identifier: Apache-2.0
// The end of tasks.
#pragma once

#include "arch/cpu.h"
#include "omp/task/task.h"

namespace tulle::omp {

// omp_fulfill_event: the event of a detachable task. Any OS thread, also one the runtime does not
// know; never suspends.
void fulfill_event(Task* task);

// A task that a race detector watches ends: before whatever waits for it goes on.
TULLE_COLD void note_task_end(Task* task);

// The body has ended. True if the task is complete: end_task() is due.
bool drop_hold(Task* task);
inline bool body_ended(Task* task) {
  return TULLE_LIKELY((task->bits & kTaskDetachable) == 0) || drop_hold(task);
}

// A complete task: releases what depends on it, tells its group and its parent, frees the record.
// `thread` null: an OS thread that is none of the team's. `by_parent`: called by the parent's frames.
void end_task(Thread* thread, Task* task, bool by_parent);

// Frees the record and what hangs on it; nothing refers to it any more.
void free_task(Thread* thread, Task* task);

}  // namespace tulle::omp
