// SPDX-License-Identifier: Apache-2.0
// The meaning of kNullAllocator: def-allocator-var of the current task (OpenMP 5.2 §2).
#pragma once

#include "omp/data/allocator.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

inline AllocatorHandle or_default_allocator(AllocatorHandle handle) {
  if (handle != kNullAllocator) return handle;
  Thread* thread = self();
  return thread != nullptr ? icv_of(thread).def_allocator : global_icv().allocator.value;
}

}  // namespace tulle::omp
