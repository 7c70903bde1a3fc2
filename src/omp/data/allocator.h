// SPDX-License-Identifier: Apache-2.0
// Memory allocators and memory spaces (OpenMP 5.2 §6, §18.13). All spaces are the machine's
// ordinary memory; traits decide about alignment, pool limit, fallback, pinning and NUMA spread.
// Any thread may call everything; an allocator may be destroyed once nothing uses it.
// Each block is preceded by a header that names its allocator, so freeing needs no handle.
// Handles and numbers are those of compilers' omp.h: GCC 12 to 16 and clang 14 to 22, which
// disagree about the default memory space (0 or 99) and access `all` (7 or 19); both are accepted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::omp {

using AllocatorHandle = uintptr_t;  // omp_allocator_handle_t: a predefined number or an address
using MemspaceHandle = uintptr_t;   // omp_memspace_handle_t

inline constexpr AllocatorHandle kNullAllocator = 0;
inline constexpr AllocatorHandle kDefaultMemAlloc = 1;
inline constexpr AllocatorHandle kThreadMemAlloc = 8;  // the last of OpenMP's own predefined ones
inline constexpr AllocatorHandle kLlvmHostMemAlloc = 100;
inline constexpr AllocatorHandle kLlvmDeviceMemAlloc = 102;
inline constexpr AllocatorHandle kGnuPinnedMemAlloc = 200;
inline constexpr AllocatorHandle kGnuManagedMemAlloc = 201;

// omp_alloctrait_t.
struct AllocatorTrait {
  int32_t key;
  uintptr_t value;
};
static_assert(sizeof(AllocatorTrait) == 16 && offsetof(AllocatorTrait, value) == 8);

// A handle for the traits given, or kNullAllocator when the space, a key or a value is unknown.
AllocatorHandle init_allocator(MemspaceHandle space, int count, const AllocatorTrait* traits);
// Predefined handles and kNullAllocator are left alone.
void destroy_allocator(AllocatorHandle handle);
bool is_predefined_allocator(AllocatorHandle handle);

// `alignment` is a power of two. Null for size 0, or when the allocator's fallback is exhausted.
// `handle` is not kNullAllocator.
void* allocate(size_t alignment, size_t size, AllocatorHandle handle);
void* allocate_zeroed(size_t alignment, size_t count, size_t size, AllocatorHandle handle);

// Moves a block to `handle`; kNullAllocator keeps the block's own allocator. A null block is an
// allocation. Size 0 frees. Null, with the block untouched, when there is no memory.
void* reallocate(void* block, size_t size, AllocatorHandle handle);
// The allocator that gave `block`.
AllocatorHandle allocator_of(const void* block);
void deallocate(void* block);

}  // namespace tulle::omp
