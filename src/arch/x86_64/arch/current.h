// SPDX-License-Identifier: Apache-2.0
// x86-64: the runtime's two thread-local pointers (16 bytes of static TLS): the entity that runs, and the
// record of the TLS block itself where it is one to lend. They are read and written by assembly so that no
// compiler keeps an address across a call that may change the TLS base.
#pragma once

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_current;
extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_lent;

namespace tulle::arch {

inline void* current_pointer() {
  void* value;
  asm volatile(
      "movq tulle_current@gottpoff(%%rip), %0\n\t"
      "movq %%fs:(%0), %0"
      : "=r"(value));
  return value;
}

// From the thread pointer to the first word, in each block.
inline intptr_t current_distance() {
  intptr_t distance;
  asm("movq tulle_current@gottpoff(%%rip), %0" : "=r"(distance));
  return distance;
}

inline void set_current_pointer(void* value) {
  void* offset;
  asm volatile(
      "movq tulle_current@gottpoff(%%rip), %0\n\t"
      "movq %1, %%fs:(%0)"
      : "=&r"(offset)
      : "r"(value)
      : "memory");
}

// Of the TLS block `base`, which need not be in force.
inline void* lent_pointer(uintptr_t base) {
  void* value;
  asm volatile(
      "movq tulle_lent@gottpoff(%%rip), %0\n\t"
      "movq (%1,%0), %0"
      : "=&r"(value)
      : "r"(base));
  return value;
}

// Of the block in force.
inline void set_lent_pointer(void* value) {
  void* offset;
  asm volatile(
      "movq tulle_lent@gottpoff(%%rip), %0\n\t"
      "movq %1, %%fs:(%0)"
      : "=&r"(offset)
      : "r"(value)
      : "memory");
}

}  // namespace tulle::arch
