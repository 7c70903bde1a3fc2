// SPDX-License-Identifier: Apache-2.0
// Objects that programs hold by handles, and marks of the functions that they call.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include "os/report.h"

#define GLT_ENTRY extern "C" __attribute__((visibility("default")))

namespace tulle::glt {

template <class T>
T* new_object(const char* what) {
  void* memory = alignof(T) > alignof(max_align_t) ? aligned_alloc(alignof(T), sizeof(T)) : malloc(sizeof(T));
  if (memory == nullptr) os::fatal("no memory for %s", what);
  return new (memory) T{};
}

template <class T>
void delete_object(T** handle) {
  free(*handle);
  *handle = nullptr;
}

}  // namespace tulle::glt
