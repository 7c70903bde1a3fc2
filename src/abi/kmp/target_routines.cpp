// SPDX-License-Identifier: Apache-2.0
//
// Routines of LLVM's offloading library that are its own, or differ there from GCC's, and what its compilers
// make of interop constructs. The others are GCC's (aliases.ld).
#include <cstddef>

#include "abi/kmp/target_construct.h"
#include "offload/device_memory.h"
#include "omp/target/target_memory.h"

namespace tulle::kmp {
namespace {

// A dependence object: the first of its entries, in front of which one says by its address how many there are.
using DependObject = const Depend*;

TULLE_MAY_SUSPEND void wait_for_objects(int count, const DependObject* objects) {
  for (int i = 0; i < count; ++i)
    if (objects[i] != nullptr) wait_for({static_cast<int32_t>(objects[i][-1].address), objects[i]});
}

}  // namespace

extern "C" int api_omp_target_memcpy(void*, const void*, size_t, size_t, size_t, int, int);
extern "C" int api_omp_target_memcpy_rect(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                                          const size_t*, const size_t*, int, int);
extern "C" void* api_omp_target_memset(void*, int, size_t, int);

#define TULLE_TARGET_ROUTINE(type, name, ...) \
  extern "C" __attribute__((visibility("default"), symver(#name "@VERS1.0"))) type target_##name(__VA_ARGS__)

TULLE_TARGET_ROUTINE(int, omp_target_memcpy_async, void* to, const void* from, size_t length, size_t to_offset,
                     size_t from_offset, int to_device, int from_device, int count, const DependObject* objects) {
  wait_for_objects(count, objects);
  return api_omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
}

TULLE_TARGET_ROUTINE(int, omp_target_memcpy_rect_async, void* to, const void* from, size_t element, int dimensions,
                     const size_t* volume, const size_t* to_offsets, const size_t* from_offsets,
                     const size_t* to_shape, const size_t* from_shape, int to_device, int from_device, int count,
                     const DependObject* objects) {
  if (to != nullptr || from != nullptr) wait_for_objects(count, objects);
  return api_omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets, to_shape,
                                    from_shape, to_device, from_device);
}

TULLE_TARGET_ROUTINE(void*, omp_target_memset_async, void* block, int value, size_t size, int device, int count,
                     const DependObject* objects) {
  wait_for_objects(count, objects);
  return api_omp_target_memset(block, value, size, device);
}

// All memory of a device can be reached from the host.
TULLE_KMP void* llvm_omp_target_alloc_device(size_t bytes, int device) { return offload::allocate(device, bytes); }
TULLE_KMP void* llvm_omp_target_alloc_host(size_t bytes, int device) { return offload::allocate(device, bytes); }
TULLE_KMP void* llvm_omp_target_alloc_shared(size_t bytes, int device) { return offload::allocate(device, bytes); }
TULLE_KMP void llvm_omp_target_free_device(void* block, int device) { offload::release(device, block); }
TULLE_KMP void llvm_omp_target_free_host(void* block, int device) { offload::release(device, block); }
TULLE_KMP void llvm_omp_target_free_shared(void* block, int device) { offload::release(device, block); }

// No foreign runtime stands behind any device, so every object is omp_interop_none.
TULLE_KMP void __tgt_interop_init(Ident*, int32_t, void** object, int32_t, int32_t, int32_t count, const Depend* list,
                                  int32_t) {
  wait_for({count, list});
  *object = nullptr;
}

TULLE_KMP void __tgt_interop_use(Ident*, int32_t, void**, int32_t, int32_t count, const Depend* list, int32_t) {
  wait_for({count, list});
}

TULLE_KMP void __tgt_interop_destroy(Ident*, int32_t, void** object, int32_t, int32_t count, const Depend* list,
                                     int32_t) {
  wait_for({count, list});
  *object = nullptr;
}

}  // namespace tulle::kmp
