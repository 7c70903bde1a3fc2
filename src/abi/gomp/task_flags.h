// SPDX-License-Identifier: Apache-2.0
// Flags that GCC passes with tasks (GCC 12; strict since 12, the others since 4.9 or 7).
#pragma once

#include <cstdint>

#include "omp/queue/task_sites.h"
#include "omp/task/task_cancel.h"
#include "omp/worksharing/cancel.h"

namespace tulle::abi::gomp {

enum TaskFlags : unsigned {
  kUntied = 1 << 0,
  kFinal = 1 << 1,
  kDepend = 1 << 3,
  kPriority = 1 << 4,
  kUp = 1 << 8,
  kGrainsize = 1 << 9,
  kIf = 1 << 10,  // taskloop only: if(true)
  kNogroup = 1 << 11,
  kReduction = 1 << 12,
  kDetach = 1 << 13,
  kStrict = 1 << 14,
};

using CopyFunction = void (*)(void* to, void* from);

// Of a task that has none of these only the body and its data matter.
inline constexpr unsigned kNotPlain = kDepend | kPriority | kDetach;

static_assert(omp::kTaskUntied == kUntied << 1 && omp::kTaskFinal == kFinal << 1);
inline uint32_t task_bits(unsigned flags) { return (flags & (kUntied | kFinal)) << 1; }

// The place in the program that makes tasks with this body.
inline uint16_t site_of(omp::TaskFunction function) {
  return omp::TaskSites::number_of(reinterpret_cast<const void*>(function));
}

inline int32_t task_priority(int priority) {
  int limit = omp::global_icv().max_task_priority.value;
  return priority < limit ? priority : limit;
}

// No more tasks are made in a cancelled region or taskgroup.
inline bool creation_cancelled(omp::Thread* thread) {
  const omp::TaskGroup* group = thread->task()->group;
  return TULLE_UNLIKELY(omp::parallel_cancelled(thread->team) ||
                        (group != nullptr && omp::taskgroup_cancelled(thread)));
}

}  // namespace tulle::abi::gomp
