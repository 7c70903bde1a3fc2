// SPDX-License-Identifier: Apache-2.0
// Memory management routines (OpenMP 5.2 §18.13) and libomp's constants for Fortran.
#include "omp/data/default_allocator.h"

#include <bit>

#include "abi/api/entry.h"

using namespace tulle;
using tulle::omp::AllocatorHandle;
using tulle::omp::AllocatorTrait;
using tulle::omp::MemspaceHandle;

TULLE_C(AllocatorHandle, omp_init_allocator, "OMP_5.0.1", MemspaceHandle space, int count,
        const AllocatorTrait* traits) {
  return omp::init_allocator(space, count, traits);
}
TULLE_FORTRAN(AllocatorHandle, omp_init_allocator, "OMP_5.0.1", const MemspaceHandle* space,
              const int32_t* count, const AllocatorTrait* traits) {
  return omp::init_allocator(*space, *count, traits);
}
TULLE_FORTRAN_8(AllocatorHandle, omp_init_allocator, "OMP_5.0.1", const MemspaceHandle* space,
                const int64_t* count, const AllocatorTrait* traits) {
  return omp::init_allocator(*space, api::to_int(*count), traits);
}

TULLE_C(void, omp_destroy_allocator, "OMP_5.0.1", AllocatorHandle handle) {
  omp::destroy_allocator(handle);
}
TULLE_FORTRAN(void, omp_destroy_allocator, "OMP_5.0.1", const AllocatorHandle* handle) {
  omp::destroy_allocator(*handle);
}

TULLE_C(void, omp_set_default_allocator, "OMP_5.0.1", AllocatorHandle handle) {
  api::changeable_icv()->def_allocator =
      handle != omp::kNullAllocator ? handle : omp::kDefaultMemAlloc;
}
TULLE_FORTRAN(void, omp_set_default_allocator, "OMP_5.0.1", const AllocatorHandle* handle) {
  api_omp_set_default_allocator(*handle);
}

TULLE_QUERY(AllocatorHandle, omp_get_default_allocator, "OMP_5.0.1") {
  return omp::or_default_allocator(omp::kNullAllocator);
}

TULLE_C(void*, omp_alloc, "OMP_5.0.1", size_t size, AllocatorHandle handle) {
  return omp::allocate(alignof(max_align_t), size, omp::or_default_allocator(handle));
}

TULLE_C(void*, omp_aligned_alloc, "OMP_5.0.2", size_t alignment, size_t size,
        AllocatorHandle handle) {
  if (!std::has_single_bit(alignment)) return nullptr;
  return omp::allocate(alignment, size, omp::or_default_allocator(handle));
}

TULLE_C(void*, omp_calloc, "OMP_5.0.2", size_t count, size_t size, AllocatorHandle handle) {
  return omp::allocate_zeroed(alignof(max_align_t), count, size, omp::or_default_allocator(handle));
}

TULLE_C(void*, omp_aligned_calloc, "OMP_5.0.2", size_t alignment, size_t count, size_t size,
        AllocatorHandle handle) {
  if (!std::has_single_bit(alignment)) return nullptr;
  return omp::allocate_zeroed(alignment, count, size, omp::or_default_allocator(handle));
}

// The block knows its own allocator, which a null `handle` keeps; `from` is not needed.
TULLE_C(void*, omp_realloc, "OMP_5.0.2", void* block, size_t size, AllocatorHandle handle,
        AllocatorHandle from) {
  static_cast<void>(from);
  return omp::reallocate(block, size, block == nullptr ? omp::or_default_allocator(handle) : handle);
}

TULLE_C(void, omp_free, "OMP_5.0.1", void* block, AllocatorHandle handle) {
  static_cast<void>(handle);
  omp::deallocate(block);
}

// Memory spaces of devices (OpenMP 6.0 §27.1), as clang 22's omp.h declares them. The host is the only
// device: what names another has no space, and what names the host has the space asked for.
namespace {

constexpr uintptr_t kNone = 0;

bool only_hosts(int count, const int* devices) {
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0 && devices[i] != -1) return false;
  return count > 0;
}

AllocatorHandle plain_allocator(MemspaceHandle space) {
  return omp::init_allocator(space, 0, nullptr);
}

}  // namespace

TULLE_LLVM(MemspaceHandle, omp_get_devices_memspace, int count, const int* devices,
           MemspaceHandle space) {
  return only_hosts(count, devices) ? space : kNone;
}
TULLE_LLVM(MemspaceHandle, omp_get_device_memspace, int device, MemspaceHandle space) {
  return only_hosts(1, &device) ? space : kNone;
}
TULLE_LLVM(MemspaceHandle, omp_get_devices_and_host_memspace, int count, const int* devices,
           MemspaceHandle space) {
  return count == 0 || only_hosts(count, devices) ? space : kNone;
}
TULLE_LLVM(MemspaceHandle, omp_get_device_and_host_memspace, int device, MemspaceHandle space) {
  return only_hosts(1, &device) ? space : kNone;
}
TULLE_LLVM(MemspaceHandle, omp_get_devices_all_memspace, MemspaceHandle space) { return space; }

TULLE_LLVM(AllocatorHandle, omp_get_devices_allocator, int count, const int* devices,
           MemspaceHandle space) {
  return only_hosts(count, devices) ? plain_allocator(space) : kNone;
}
TULLE_LLVM(AllocatorHandle, omp_get_device_allocator, int device, MemspaceHandle space) {
  return only_hosts(1, &device) ? plain_allocator(space) : kNone;
}
TULLE_LLVM(AllocatorHandle, omp_get_devices_and_host_allocator, int count, const int* devices,
           MemspaceHandle space) {
  return count == 0 || only_hosts(count, devices) ? plain_allocator(space) : kNone;
}
TULLE_LLVM(AllocatorHandle, omp_get_device_and_host_allocator, int device, MemspaceHandle space) {
  return only_hosts(1, &device) ? plain_allocator(space) : kNone;
}
TULLE_LLVM(AllocatorHandle, omp_get_devices_all_allocator, MemspaceHandle space) {
  return plain_allocator(space);
}

// Each space is one resource: all of the machine's memory.
TULLE_LLVM(int, omp_get_memspace_num_resources, MemspaceHandle) { return 1; }
TULLE_LLVM(MemspaceHandle, omp_get_submemspace, MemspaceHandle space, int count, int* resources) {
  return count == 1 && resources[0] == 0 ? space : kNone;
}

// libomp's constants are objects. The spaces have its numbers: of clang 22, and 99 is the default.
#define TULLE_HANDLE(name, number)                                                     \
  extern "C" {                                                                         \
  __attribute__((visibility("default"), symver(#name "@@VERSION"))) extern const uintptr_t \
      api_##name;                                                                      \
  const uintptr_t api_##name = number;                                                 \
  }                                                                                    \
  static_assert(true)

TULLE_HANDLE(omp_null_allocator, 0);
TULLE_HANDLE(omp_default_mem_alloc, 1);
TULLE_HANDLE(omp_large_cap_mem_alloc, 2);
TULLE_HANDLE(omp_const_mem_alloc, 3);
TULLE_HANDLE(omp_high_bw_mem_alloc, 4);
TULLE_HANDLE(omp_low_lat_mem_alloc, 5);
TULLE_HANDLE(omp_cgroup_mem_alloc, 6);
TULLE_HANDLE(omp_pteam_mem_alloc, 7);
TULLE_HANDLE(omp_thread_mem_alloc, 8);
TULLE_HANDLE(omp_default_mem_space, 99);
TULLE_HANDLE(omp_large_cap_mem_space, 1);
TULLE_HANDLE(omp_const_mem_space, 2);
TULLE_HANDLE(omp_high_bw_mem_space, 3);
TULLE_HANDLE(omp_low_lat_mem_space, 4);
