// SPDX-License-Identifier: Apache-2.0
// aarch64: the runtime's two thread-local pointers (16 bytes of static TLS): the entity that runs, and the
// record of the TLS block itself where it is one to lend. They are read and written by assembly so that no
// compiler keeps an address across a call that may change the TLS base, nor the base itself, which compilers
// take for a constant of the function. One register for the offset: linkers rewrite exactly these two
// instructions where the offset is known.
#pragma once

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_current;
extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_lent;

namespace tulle::arch {

inline void* current_pointer() {
  void *value, *base;
  asm volatile(
      "adrp %0, :gottprel:tulle_current\n\t"
      "ldr %0, [%0, :gottprel_lo12:tulle_current]\n\t"
      "mrs %1, tpidr_el0\n\t"
      "ldr %0, [%1, %0]"
      : "=&r"(value), "=&r"(base));
  return value;
}

// From the thread pointer to the first word, in each block.
inline intptr_t current_distance() {
  intptr_t distance;
  asm("adrp %0, :gottprel:tulle_current\n\t"
      "ldr %0, [%0, :gottprel_lo12:tulle_current]"
      : "=&r"(distance));
  return distance;
}

inline void set_current_pointer(void* value) {
  void *offset, *base;
  asm volatile(
      "adrp %0, :gottprel:tulle_current\n\t"
      "ldr %0, [%0, :gottprel_lo12:tulle_current]\n\t"
      "mrs %1, tpidr_el0\n\t"
      "str %2, [%1, %0]"
      : "=&r"(offset), "=&r"(base)
      : "r"(value)
      : "memory");
}

// Of the TLS block `base`, which need not be in force.
inline void* lent_pointer(uintptr_t base) {
  void* value;
  asm volatile(
      "adrp %0, :gottprel:tulle_lent\n\t"
      "ldr %0, [%0, :gottprel_lo12:tulle_lent]\n\t"
      "ldr %0, [%1, %0]"
      : "=&r"(value)
      : "r"(base));
  return value;
}

// Of the block in force.
inline void set_lent_pointer(void* value) {
  void *offset, *base;
  asm volatile(
      "adrp %0, :gottprel:tulle_lent\n\t"
      "ldr %0, [%0, :gottprel_lo12:tulle_lent]\n\t"
      "mrs %1, tpidr_el0\n\t"
      "str %2, [%1, %0]"
      : "=&r"(offset), "=&r"(base)
      : "r"(value)
      : "memory");
}

}  // namespace tulle::arch
