// SPDX-License-Identifier: Apache-2.0
// A list, under a lock, of tasks for any thread: those with a priority, those that do not fit a queue, and suspended
// untied tasks that became ready. Any OS thread may call all of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/queue/task_list.h"
#include "sync/spinlock.h"

namespace tulle::omp {

class SharedTasks {
 public:
  // By priority, then in order.
  void push(Task* task);

  // One that may run under `constraint`; null: none.
  Task* take(const Task* constraint) { return holds_some() ? search(constraint) : nullptr; }
  // The same, as a hint: it stays.
  bool holds(const Task* constraint);

  // Hints: there are tasks; one of them is to go before those in the queues.
  bool holds_some() const { return count_.load(std::memory_order_relaxed) != 0; }
  bool holds_urgent() const { return urgent_.load(std::memory_order_relaxed) != 0; }

  // Whoever is alone with it: the memory of what it held.
  void give_back();

 private:
  TULLE_NOINLINE Task* search(const Task* constraint);
  void count(const Task* task, uint32_t by) TULLE_UNDER(lock_);

  std::atomic<uint32_t> count_{0};   // W: under lock_
  std::atomic<uint32_t> urgent_{0};  // W: under lock_; those with a priority
  sync::Spinlock lock_;
  TaskList list_ TULLE_GUARDED_BY(lock_);
};

}  // namespace tulle::omp
