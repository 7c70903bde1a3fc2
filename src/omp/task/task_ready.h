// SPDX-License-Identifier: Apache-2.0
// Tasks that may begin, where somebody will find them.
#pragma once

#include "arch/cpu.h"
#include "omp/task/task.h"
#include "omp/thread/team.h"

namespace tulle::omp {

// A task that may begin goes where somebody will find it. `thread` null: an OS thread that is none
// of the team's.
void make_task_ready(Thread* thread, Task* task);
// The same, once it is known that this is to its worker's queue.
inline void push_own(TaskQueue* queue, Task* task) {
  if (!queue->deque.push_owner(task)) task->team->tasks.push_shared(task, queue);
}

// A task is queued; somebody who sleeps may want it.
void offer(const Team* team);

}  // namespace tulle::omp
