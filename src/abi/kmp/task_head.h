// SPDX-License-Identifier: Apache-2.0
//
// The head before a compiled task's own record: the way back to the runtime's record. One block:
// {padding, TaskHead, Task and privates, shareds}. Created by __kmpc_omp_task_alloc, gone with the
// task. The compiler does not tell the alignment of the privates; the size is a multiple of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "abi/kmp/layout.h"
#include "omp/task/task.h"

namespace tulle::kmp {

inline constexpr size_t kTaskAlignment = 16;
inline constexpr size_t kGreatestAlignment = 128;

inline size_t alignment_of(size_t task_bytes) {
  return std::clamp(task_bytes & -task_bytes, kTaskAlignment, kGreatestAlignment);
}

enum class Progress : uint8_t {
  none,
  looked_at,  // the same; it is to be written down where its region's graph is recorded
  begun,
};

struct alignas(kTaskAlignment) TaskHead {
  omp::Task* record;
  uint32_t flags;                 // of __kmpc_omp_task_alloc
  uint32_t task_bytes;            // Task and privates
  uint32_t shareds_bytes;         // the block behind them
  std::atomic<int32_t> parts;     // untied: parts that run or are queued
  Progress progress;              // W: its maker, then the first part
  bool again;                     // undeferred: another part follows. W, R: the running part
  bool undeferred;                // its maker waits for it in any case
  bool enrolled;                  // the record is a child's; else it is mere memory. W: its maker
  bool launched;                  // its region goes on by itself, and fulfills its event. W: its body
};
static_assert(sizeof(TaskHead) == 32);

inline Task* task_of(TaskHead* head) { return reinterpret_cast<Task*>(head + 1); }
inline const Task* task_of(const TaskHead* head) { return reinterpret_cast<const Task*>(head + 1); }
inline TaskHead* head_of(Task* task) { return reinterpret_cast<TaskHead*>(task) - 1; }

// As in libomp: flang's taskloop finds the shareds there by itself.
inline size_t shareds_offset(size_t task_bytes) {
  return (task_bytes + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
}

// TaskBits of a task that is called without a record.
static_assert(omp::kTaskUntied == kTaskTied << 1 && omp::kTaskFinal == kTaskFinal << 1);
inline uint32_t bare_bits(uint32_t flags) {
  return ((flags ^ kTaskTied) & (kTaskTied | kTaskFinal)) << 1;
}

// The body, in as many parts as it comes in.
TULLE_MAY_SUSPEND void run_parts(TaskHead* head);

// A task of which nothing has begun. It gets a record as a child of the current task when it needs one:
// not if it is called where it is submitted.
TaskHead* make_task(omp::Thread* thread, uint32_t flags, size_t task_bytes, size_t shareds_bytes,
                    TaskEntry entry, bool undeferred = false);

// The place in the program that makes tasks with this body (omp/queue/task_sites.h).
uint16_t site_of(const TaskHead* head);

// Calls the task, which has dependences, if it waits for nothing, can do without a record, and had better be called.
TULLE_MAY_SUSPEND bool call_at_once(omp::Thread* thread, TaskHead* head);

// The task may run from now on.
TULLE_MAY_SUSPEND void submit(omp::Thread* thread, TaskHead* head);
TULLE_MAY_SUSPEND void submit(omp::Thread* thread, TaskHead* head, const omp::Dependence* list,
                              size_t count);

// A task whose body the caller runs, or that has none: around the body.
TULLE_MAY_SUSPEND void begin_inline(omp::Thread* thread, TaskHead* head);
TULLE_MAY_SUSPEND void end_inline(TaskHead* head);

}  // namespace tulle::kmp
