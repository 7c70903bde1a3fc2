// SPDX-License-Identifier: Apache-2.0
// Counting tasks: what a barrier waits for, and makers at the limit.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/look.h"
#include "omp/task/task.h"
#include "omp/thread/team.h"

namespace tulle::omp {

TULLE_COLD TaskQueue* find_queue(Thread* thread);

// The queue of the worker that carries `thread` now; null where a worker cannot have one.
inline TaskQueue* queue_for(Thread* thread) {
  TaskQueue* queue = thread->queue;
  if (TULLE_LIKELY(queue != nullptr && queue->owner == thread->worker)) return queue;
  return find_queue(thread);
}

// Counts a complete task, when its thread's identity is free again.
void count_finished(Thread* thread, Team* team);

// Makers of tasks go on if enough are finished; or in any case.
void relieve_makers(Team* team);
inline void wake_makers(Team* team) {
  if (TULLE_UNLIKELY(!team->tasks.makers.empty())) team->tasks.makers.wake_all();
}
inline void wake_yielders(Team* team) {
  if (TULLE_UNLIKELY(!team->tasks.yielders.empty())) team->tasks.yielders.wake_all();
}

// A task is made. The team's first one since the last barrier marks it (omp/worksharing/barrier.cpp).
TULLE_COLD void mark_used(Thread* thread);
inline void count_created(Thread* thread, TaskQueue* queue) {
  if (TULLE_UNLIKELY(!thread->team->tasks.used(thread->next_barrier))) mark_used(thread);
  queue->created.store(queue->created.load(std::memory_order_relaxed) + 1,
                       std::memory_order_release);  // pairs with quiescent()
}

// Completes the barrier that waits for the team's tasks, if it is due.
void complete_barrier(Team* team);

// Looks whether the barrier or join that waits for the team's tasks is done.
void check_completion(Team* team);

// A wait for the team's tasks need not include this one: its parent's frames do, and nobody
// else can complete it.
inline bool counted(uint32_t bits) {
  return (bits & (kTaskUndeferred | kTaskDetachable)) != kTaskUndeferred;
}

// Owner of the queue: a task is finished.
inline void add_finished(TaskQueue* queue, Team* team) {
  constexpr uint64_t kLookEvery = 64;
  uint64_t finished = queue->finished.load(std::memory_order_relaxed) + 1;
  queue->finished.store(finished, std::memory_order_release);  // pairs with quiescent()
  if (TULLE_UNLIKELY(finished % kLookEvery == 0)) relieve_makers(team);
}

}  // namespace tulle::omp
