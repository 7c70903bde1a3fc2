// SPDX-License-Identifier: Apache-2.0
//
// Allocators as Clang's allocate directive and clause call them; the first argument is the global
// thread number, which is not needed.
#include "abi/kmp/layout.h"
#include "omp/data/default_allocator.h"
#include "omp/task/task_icv.h"
#include "omp/thread/thread.h"

namespace tulle::kmp {

TULLE_KMP void* __kmpc_alloc(int32_t, size_t size, omp::AllocatorHandle handle) {
  return omp::allocate(alignof(max_align_t), size, omp::or_default_allocator(handle));
}

TULLE_KMP void* __kmpc_aligned_alloc(int32_t, size_t alignment, size_t size,
                                     omp::AllocatorHandle handle) {
  return omp::allocate(alignment, size, omp::or_default_allocator(handle));
}

TULLE_KMP void* __kmpc_calloc(int32_t, size_t count, size_t size, omp::AllocatorHandle handle) {
  return omp::allocate_zeroed(alignof(max_align_t), count, size, omp::or_default_allocator(handle));
}

TULLE_KMP void* __kmpc_realloc(int32_t, void* block, size_t size, omp::AllocatorHandle handle,
                               omp::AllocatorHandle) {
  return omp::reallocate(block, size, block == nullptr ? omp::or_default_allocator(handle) : handle);
}

TULLE_KMP void __kmpc_free(int32_t, void* block, omp::AllocatorHandle) {
  if (block) omp::deallocate(block);
}

TULLE_KMP omp::AllocatorHandle __kmpc_init_allocator(int32_t, omp::MemspaceHandle space,
                                                     int32_t count,
                                                     const omp::AllocatorTrait* traits) {
  return omp::init_allocator(space, count, traits);
}

TULLE_KMP void __kmpc_destroy_allocator(int32_t, omp::AllocatorHandle handle) {
  omp::destroy_allocator(handle);
}

TULLE_KMP void __kmpc_set_default_allocator(int32_t, omp::AllocatorHandle handle) {
  if (handle != omp::kNullAllocator)
    omp::writable_icv(omp::self_or_attach())->def_allocator = handle;
}

TULLE_KMP omp::AllocatorHandle __kmpc_get_default_allocator(int32_t) {
  return omp::or_default_allocator(omp::kNullAllocator);
}

}  // namespace tulle::kmp
