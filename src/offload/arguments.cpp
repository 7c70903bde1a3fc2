// SPDX-License-Identifier: Apache-2.0
#include "offload/arguments.h"

#include <string.h>

namespace tulle::offload {

size_t argument_bytes(Maps maps) {
  size_t sum = maps.count * sizeof(void*);
  for (size_t i = 0; i < maps.count; ++i)
    if (is_copied(maps.items[i])) sum += maps.items[i].size + maps.items[i].alignment - 1;
  return sum;
}

void copy_arguments(void* block, Maps maps) {
  auto** seen = static_cast<void**>(block);
  auto next = reinterpret_cast<uintptr_t>(seen + maps.count);
  for (size_t i = 0; i < maps.count; ++i) {
    const MapItem& item = maps.items[i];
    if (!is_copied(item)) continue;
    next = (next + item.alignment - 1) & ~(uintptr_t{item.alignment} - 1);
    seen[i] = memcpy(reinterpret_cast<void*>(next), item.address, item.size);
    next += item.size;
  }
}

}  // namespace tulle::offload
