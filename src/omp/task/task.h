// SPDX-License-Identifier: Apache-2.0
// Explicit tasks (OpenMP 5.2 §12). A task is a record in a deque until somebody calls it on the
// stack at hand: its parent at a taskwait on top of its own frames, or a worker's loop, in the name
// of a thread of the team that waits. Only a task that blocks keeps a stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/graph/dependence_kind.h"
#include "omp/queue/task_record.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

// One item of a depend clause; `address` null with kind out means omp_all_memory.
struct Dependence {
  void* address;
  DependenceKind kind;
};

// A record for a child of the current task with room for `bytes` of data aligned to `alignment`
// behind it (Task::data points there). `bits` are TaskBits. Never null: where memory ends, the
// process ends with a message. The record inherits what a final parent or a parallel region of one
// imply (kTaskFinal, kTaskUndeferred).
Task* new_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment, uint32_t bits);

// A record from task_allocation.h becomes a child of the current task.
void enroll_task(Thread* thread, Task* task, TaskFunction function, uint32_t bits);

// The current task is explicit (OpenMP 5.2 §18.5.5).
bool in_explicit_task(const Thread* thread);

// Whether a balance says that no child that it knows of is alive.
inline bool no_child_alive(int64_t balance) {
  return static_cast<uint32_t>(balance) == static_cast<uint32_t>(Task::kAlive);
}

// No child is alive and no complete one has a record.
inline bool childless(const Task* task) {
  return task->born == 0 && task->balance.load(std::memory_order_acquire) == Task::kAlive;
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

}  // namespace tulle::omp
