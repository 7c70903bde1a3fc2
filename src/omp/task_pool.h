// SPDX-License-Identifier: Apache-2.0
// The explicit tasks of a team: one queue for each worker that takes part, found through the
// thread that it runs; a list, under a lock, for tasks with a priority, for those that do not fit a
// queue, and for suspended untied tasks that became ready. The counts of all queues tell a barrier
// when every task is complete: finished are read first, then created; if the sums are equal nothing
// was unfinished in between (both only grow, and nothing is finished before it is created).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "base/list.h"
#include "omp/task_memory.h"
#include "omp/task_record.h"
#include "sched/worker.h"
#include "sync/deque.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// A worker's share of a team's tasks. Owner: the worker; its OS thread is the only one that pushes,
// pops, and counts here.
struct TULLE_CACHE_ALIGNED TaskQueue {
  static constexpr uint32_t kCapacity = 1024;

  sync::Deque<Task, kCapacity> deque;
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> created{0};   // W: owner; R: barriers
  std::atomic<uint64_t> finished{0};  // W: owner; R: barriers
  sched::Worker* owner = nullptr;
  uint32_t last_identity = 0;  // W: owner; member in whose name it ran a task last
  uint32_t long_calls = 0;     // W: owner; tasks called in a row that were worth handing over
  uint32_t unlooked = 0;       // W: owner; tasks with dependences since the limit was looked at
  uint64_t last_asked = 0;     // W: owner; when a new task found that thieves ask for some
  TaskMemory memory;
};

class TaskPool {
 public:
  // The number of the barrier before which tasks were last created. W: creators; R: barriers.
  // Written once between two barriers.
  std::atomic<uint32_t> used_before{0};

  bool used(uint32_t barrier) const {
    // Relaxed: a creator's store is ordered by its arrival at the barrier.
    return used_before.load(std::memory_order_relaxed) == barrier;
  }

  // The queue of `worker`, made if need be; null: no memory, or too many workers.
  TaskQueue* queue_of(sched::Worker* worker);

  // Any thread: a task that `allowed` accepts, from the shared list, or from a queue other than
  // `own`. Allowed: bool(const Task*).
  template <class Allowed>
  Task* take_shared(Allowed allowed);
  template <class Allowed>
  Task* steal(TaskQueue* own, Allowed allowed);

  // Any thread, a hint: a task that waits in a worker's queue, whether it may begin or not.
  bool something_in_queues() const;
  // Any thread, a hint: take_shared would find something.
  template <class Allowed>
  bool can_take_shared(Allowed allowed);

  // Any OS thread. By priority, then in order.
  void push_shared(Task* task);
  // Any OS thread: a task completed outside of any queue's owner (an event was fulfilled).
  void count_external_finish() { external_.fetch_add(1, std::memory_order_release); }

  bool something_queued() const;
  bool quiescent() const;
  // Deferred tasks that are not complete: exact only while nothing moves.
  uint64_t unfinished() const;

 private:
  std::atomic<TaskQueue*>* queues_ = nullptr;  // room for kRoom; W: under lock_
  std::atomic<uint32_t> count_{0};
  std::atomic<uint32_t> shared_count_{0};
  std::atomic<uint64_t> external_{0};
  sync::Spinlock lock_;
  Task* shared_ = nullptr;  // under lock_, through Task::below, highest priority first
};

template <class Allowed>
Task* TaskPool::take_shared(Allowed allowed) {
  if (shared_count_.load(std::memory_order_relaxed) == 0) return nullptr;  // a hint
  sync::Guard guard(lock_);
  for (Task** link = &shared_; *link != nullptr; link = &(*link)->below) {
    Task* task = *link;
    if (!allowed(task)) continue;
    *link = task->below;
    task->below = nullptr;
    shared_count_.store(shared_count_.load(std::memory_order_relaxed) - 1,
                        std::memory_order_relaxed);
    return task;
  }
  return nullptr;
}

template <class Allowed>
bool TaskPool::can_take_shared(Allowed allowed) {
  if (shared_count_.load(std::memory_order_relaxed) == 0) return false;
  sync::Guard guard(lock_);
  for (Task* task = shared_; task != nullptr; task = task->below)
    if (allowed(task)) return true;
  return false;
}

template <class Allowed>
Task* TaskPool::steal(TaskQueue* own, Allowed allowed) {
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  for (uint32_t i = 0; i < count; ++i) {
    TaskQueue* queue = queues_[i].load(std::memory_order_relaxed);
    if (queue == own || queue->deque.size() == 0) continue;
    if (Task* task = queue->deque.steal_any(allowed)) return task;
  }
  return nullptr;
}

}  // namespace tulle::omp
