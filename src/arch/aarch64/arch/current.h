// SPDX-License-Identifier: Apache-2.0
// aarch64: the runtime's one thread-local pointer (8 bytes of static TLS). It is read and written
// by assembly so that no compiler keeps its address across a call that may change the TLS base, nor the
// base itself, which compilers take for a constant of the function. One register for the offset: linkers
// rewrite exactly these two instructions where the offset is known.
#pragma once

extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_current;

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

}  // namespace tulle::arch
