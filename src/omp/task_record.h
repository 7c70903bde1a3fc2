// SPDX-License-Identifier: Apache-2.0
// The record of a task: implicit (one in each Thread) or explicit (from the task allocator).
// See task.h for what may be done with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/icv.h"
#include "sched/wait_list.h"

namespace tulle::omp {

struct Team;
struct Thread;
struct Task;
struct TaskDependences;

using TaskFunction = void (*)(void*);

// A taskgroup region (OpenMP 5.2 §15.4). Lies in the frame of the task that waits at its end.
struct TaskGroup {
  TaskGroup* outer = nullptr;
  std::atomic<int64_t> unfinished{0};  // tasks of the group, descendants included
  std::atomic<bool> cancelled{false};
  sched::WaitList waiter;
  void* reductions = nullptr;  // task_reduction descriptors of an interface layer
};

enum TaskBits : uint32_t {
  kTaskExplicit = 1,
  kTaskUntied = 2,
  kTaskFinal = 4,
  kTaskUndeferred = 8,   // its parent waits for it right where it was created
  kTaskDetachable = 16,  // complete only when its event is fulfilled too
  kTaskProxy = 32,       // no body: stands for work elsewhere (target nowait, taskwait nowait)
};

struct Task {
  const Icv* icv = nullptr;
  Task* parent = nullptr;
  Team* team = nullptr;
  TaskGroup* group = nullptr;  // innermost taskgroup, of which it is a member
  uint32_t bits = 0;
  uint32_t depth = 0;  // ancestors up to the implicit task
  // Children that are not complete. W: the task itself adds, whoever completes one subtracts.
  std::atomic<int32_t> children{0};
  sched::WaitList waiter;  // the task itself, at a taskwait

  // Explicit tasks only.
  TaskFunction function = nullptr;
  void* data = nullptr;
  int32_t priority = 0;
  Thread* thread = nullptr;   // that runs it, or that it is tied to
  ult::Ult* resume = nullptr; // untied, suspended and ready: what to go on with
  TaskDependences* dependences = nullptr;  // its own, as a child of `parent`
  void* dependence_table = nullptr;        // of its children's addresses
  std::atomic<int32_t> holds{0};  // 1 for the body, 1 for an event; complete at 0
  std::atomic<int32_t> references{0};  // record is freed at 0: itself and its children
  uint32_t bytes = 0;             // of the record with its data, for the allocator
  void* home = nullptr;           // allocator that the record came from
  void* interface_data = nullptr; // of an interface layer (abi/kmp, abi/gomp)
  Task* next = nullptr;           // in a list
};

}  // namespace tulle::omp
