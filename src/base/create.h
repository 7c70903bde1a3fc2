// SPDX-License-Identifier: Apache-2.0
// Objects in memory of malloc, where there is no operator new.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tulle {

// Null: no memory.
template <class T, class... Arguments>
T* create(const Arguments&... arguments) {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  void* memory = malloc(sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T(arguments...);
}

template <class T>
void destroy(T* object) {
  object->~T();
  free(static_cast<void*>(object));
}

}  // namespace tulle
