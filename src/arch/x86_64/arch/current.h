// SPDX-License-Identifier: Apache-2.0
// x86-64: the runtime's one thread-local pointer (8 bytes of static TLS). It is read and written
// by assembly so that no compiler keeps its address across a call that may change the TLS base.
#pragma once

extern "C" __attribute__((visibility("hidden"))) thread_local void* tulle_current;

namespace tulle::arch {

inline void* current_pointer() {
  void* value;
  asm volatile(
      "movq tulle_current@gottpoff(%%rip), %0\n\t"
      "movq %%fs:(%0), %0"
      : "=r"(value));
  return value;
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

}  // namespace tulle::arch
