// SPDX-License-Identifier: Apache-2.0
//
// kmp_malloc and its relatives: memory of the calling thread's. The C library's allocator keeps
// memory by thread already, so these are its routines. The alignment comes after the size.
#include <cstdlib>

#include "abi/kmp/layout.h"

namespace tulle::kmp {
namespace {

void* aligned(size_t size, size_t alignment) {
  void* memory = nullptr;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

}  // namespace

#define TULLE_KMP_MEMORY(prefix)                                                                \
  TULLE_KMP void* prefix##_malloc(size_t size) { return malloc(size); }                         \
  TULLE_KMP void* prefix##_aligned_malloc(size_t size, size_t alignment) {                      \
    return aligned(size, alignment);                                                            \
  }                                                                                             \
  TULLE_KMP void* prefix##_calloc(size_t count, size_t size) { return calloc(count, size); }    \
  TULLE_KMP void* prefix##_realloc(void* block, size_t size) { return realloc(block, size); }   \
  TULLE_KMP void prefix##_free(void* block) { free(block); }

TULLE_KMP_MEMORY(kmp)
TULLE_KMP_MEMORY(kmpc)

#undef TULLE_KMP_MEMORY

TULLE_KMP void* kmp_malloc_(const size_t* size) { return malloc(*size); }
TULLE_KMP void* kmp_aligned_malloc_(const size_t* size, const size_t* alignment) {
  return aligned(*size, *alignment);
}
TULLE_KMP void* kmp_calloc_(const size_t* count, const size_t* size) {
  return calloc(*count, *size);
}
TULLE_KMP void* kmp_realloc_(void* const* block, const size_t* size) {
  return realloc(*block, *size);
}
TULLE_KMP void kmp_free_(void* const* block) { free(*block); }

}  // namespace tulle::kmp
