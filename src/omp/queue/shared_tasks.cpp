// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/shared_tasks.h"

namespace tulle::omp {

namespace {

void add(std::atomic<uint32_t>& counter, uint32_t by) {  // under the lock; relaxed: hints
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

void SharedTasks::count(const Task* task, uint32_t by) {
  add(count_, by);
  if (task->priority > 0) add(urgent_, by);
}

void SharedTasks::push(Task* task) {
  sync::Guard guard(lock_);
  list_.push(task);
  count(task, 1);
}

Task* SharedTasks::search(const Task* constraint) {
  sync::Guard guard(lock_);
  Task* task = list_.take(constraint);
  if (task != nullptr) count(task, -1u);
  return task;
}

bool SharedTasks::holds(const Task* constraint) {
  if (!holds_some()) return false;
  sync::Guard guard(lock_);
  return list_.holds(constraint);
}

void SharedTasks::give_back() {
  sync::Guard guard(lock_);
  list_.give_back();
}

}  // namespace tulle::omp
