// SPDX-License-Identifier: Apache-2.0
// Memory of the allocate clause and directive. There is no way to report failure to the program.
#include <cstddef>

#include "abi/gomp/entry.h"
#include "omp/data/allocated_set.h"
#include "omp/data/default_allocator.h"
#include "os/report.h"

namespace omp = tulle::omp;

TULLE_GOMP void* GOMP_alloc(size_t alignment, size_t size, omp::AllocatorHandle allocator) {
  void* block = omp::allocate(alignment, size, omp::or_default_allocator(allocator));
  if (block == nullptr && size != 0)
    tulle::os::fatal("out of memory: an allocate clause asked for %zu bytes", size);
  return block;
}

TULLE_GOMP void GOMP_free(void* block, omp::AllocatorHandle /*allocator*/) {
  omp::deallocate(block);
}

TULLE_GOMP void GOMP_add_alloc(void* block) { omp::remember_allocated(block); }
TULLE_GOMP bool GOMP_is_alloc(void* block) { return omp::forget_allocated(block); }
