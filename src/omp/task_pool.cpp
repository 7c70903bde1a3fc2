// SPDX-License-Identifier: Apache-2.0
#include "omp/task_pool.h"

#include <cstdlib>
#include <new>

namespace tulle::omp {

namespace {

constexpr uint32_t kRoom = 4096;  // workers that can have a queue in one team

}  // namespace

TaskQueue* TaskPool::queue_of(sched::Worker* worker) {
  sync::Guard guard(lock_);
  uint32_t count = count_.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    TaskQueue* queue = queues_[i].load(std::memory_order_relaxed);
    if (queue->owner == worker) return queue;
  }
  if (queues_ == nullptr)
    queues_ = static_cast<std::atomic<TaskQueue*>*>(calloc(kRoom, sizeof *queues_));
  if (queues_ == nullptr || count == kRoom) return nullptr;
  void* memory = aligned_alloc(alignof(TaskQueue), sizeof(TaskQueue));
  if (memory == nullptr) return nullptr;
  auto* queue = new (memory) TaskQueue;
  queue->owner = worker;
  queues_[count].store(queue, std::memory_order_relaxed);
  count_.store(count + 1, std::memory_order_release);  // pairs with the readers of count_
  return queue;
}

void TaskPool::push_shared(Task* task) {
  sync::Guard guard(lock_);
  Task** link = &shared_;
  while (*link != nullptr && (*link)->priority >= task->priority) link = &(*link)->below;
  task->below = *link;
  *link = task;
  shared_count_.store(shared_count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

bool TaskPool::something_queued() const {
  return shared_count_.load(std::memory_order_relaxed) != 0 || something_in_queues();
}

bool TaskPool::something_in_queues() const {
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  for (uint32_t i = 0; i < count; ++i)
    if (queues_[i].load(std::memory_order_relaxed)->deque.size() != 0) return true;
  return false;
}

bool TaskPool::quiescent() const { return unfinished() == 0; }

uint64_t TaskPool::unfinished() const {
  uint32_t count = count_.load(std::memory_order_acquire);
  uint64_t finished = external_.load(std::memory_order_acquire), created = 0;
  for (uint32_t i = 0; i < count; ++i)
    finished += queues_[i].load(std::memory_order_relaxed)->finished.load(std::memory_order_acquire);
  // A queue that appeared meanwhile has created tasks that were not there before: read it too.
  count = count_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i)
    created += queues_[i].load(std::memory_order_relaxed)->created.load(std::memory_order_acquire);
  return created - finished;
}

}  // namespace tulle::omp
