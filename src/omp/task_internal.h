// SPDX-License-Identifier: Apache-2.0
// Shared by the files that implement tasks only.
#pragma once

#include "omp/task.h"
#include "omp/team.h"

namespace tulle::omp {

TULLE_COLD TaskQueue* find_queue(Thread* thread);

// The queue of the worker that carries `thread` now; null where a worker cannot have one.
inline TaskQueue* queue_for(Thread* thread) {
  TaskQueue* queue = thread->queue;
  if (TULLE_LIKELY(queue != nullptr && queue->owner == thread->worker)) return queue;
  return find_queue(thread);
}

// Calls the task on top of the current task's frames. Returns when its body has ended; it is
// complete then unless it is detachable.
TULLE_MAY_SUSPEND void run_on_top(Thread* thread, Task* task);

// The body, in the name of `thread`; the thread in whose name it ended is self().
TULLE_MAY_SUSPEND void run_body(Thread* thread, Task* task);

// The task becomes the current one of `thread`, and ceases to be: what run_body does around a body.
void enter_body(Thread* thread, Task* task);
void leave_body(Thread* thread, Task* task);

// The caller's frames are the body of an undeferred task, until end_undeferred().
void begin_inline(Thread* thread, Task* task);

// The body has ended. True if the task is complete: end_task() is due.
bool body_ended(Task* task);

// A complete task: releases what depends on it, tells its group and its parent, frees the record.
// `thread` null: an OS thread that is none of the team's. `by_parent`: called by the parent's frames.
void end_task(Thread* thread, Task* task, bool by_parent);

// Counts a complete task, when its thread's identity is free again.
void count_finished(Thread* thread, Team* team);

// A task whose dependences are satisfied goes where somebody will find it.
void make_task_ready(Thread* thread, Task* task);

// Frees the record and what hangs on it; nothing refers to it any more.
void free_task(Thread* thread, Task* task);

// Completes the barrier that waits for the team's tasks, if it is due.
void complete_barrier(Team* team);

// Looks whether the barrier or join that waits for the team's tasks is done.
void check_completion(Team* team);

// Whether a balance says that no child that it knows of is alive.
inline bool no_child_alive(int64_t balance) {
  return static_cast<uint32_t>(balance) == static_cast<uint32_t>(Task::kAlive);
}

inline int32_t live_children(const Task* task) {
  return static_cast<int32_t>(task->balance.load(std::memory_order_acquire) - Task::kAlive) +
         task->born;
}

// Makes children so far visible in the balance: from then on only `balance` tells about them.
inline void account_children(Task* task) {
  if (task->born == 0) return;
  task->balance.fetch_add(task->born, std::memory_order_relaxed);
  task->born = 0;
}

// A task may begin in the name of a thread whose innermost suspended tied task is `constraint`
// (OpenMP 5.2 §12.9, task scheduling constraint 2): untied tasks and descendants.
bool may_begin(const Task* task, const Task* constraint);

}  // namespace tulle::omp
