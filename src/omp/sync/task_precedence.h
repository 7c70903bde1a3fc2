// SPDX-License-Identifier: Apache-2.0
// A tied task that waits, for tasks, at the limit of tasks or for a lock, comes before what its thread left to
// begin it (sched/precedence.h): so it is where tasks are called on top of what waits, programs rely on it, and
// a lock is no task scheduling point at all (OpenMP 5.2, section 12.9). A taskyield leaves it to the others.
#pragma once

#include "omp/thread/thread.h"
#include "sched/precedence.h"

namespace tulle::omp {

// The suspended tied tasks of a thread are each other's descendants, so depths order them.
inline bool is_shallower(const void* task, const void* other) {
  return static_cast<const Task*>(task)->depth < static_cast<const Task*>(other)->depth;
}

// For the thread's current task; null: it does not matter what goes on meanwhile.
inline sched::LiesBelow precedence_of(const Thread* thread) {
  return thread->task->depth != 0 && thread->divert == nullptr ? is_shallower : nullptr;
}

}  // namespace tulle::omp
