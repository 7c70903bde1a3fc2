// SPDX-License-Identifier: Apache-2.0
// x86-64: pause, fences and the TLS base register.
// The TLS base (FS) is switched with wrfsbase where the kernel allows it (AT_HWCAP2 bit 1) and by
// arch_prctl otherwise (valgrind, old kernels). None of these touches thread-local storage.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::arch {

inline void pause() { __builtin_ia32_pause(); }

// Orders earlier stores before later loads.
inline void full_fence() {
  // A locked operation on the stack is cheaper than mfence and orders the same (ordinary memory).
  asm volatile("lock orl $0, (%%rsp)" ::: "memory", "cc");
}

// The same after an atomic read-modify-write or a sequentially consistent store, which is one here.
inline void fence_after_atomic() { asm volatile("" ::: "memory"); }

// The light side of an asymmetric fence; os::heavy_fence() is the other side.
inline void light_fence() { asm volatile("" ::: "memory"); }

extern TULLE_NEAR bool has_fsgsbase;  // set once by detect_features()

void detect_features();

inline uintptr_t tls_base() {
  uintptr_t base;
  asm volatile("movq %%fs:0, %0" : "=r"(base));  // x86-64 psABI: the TCB's first word is its address
  return base;
}

void set_tls_base_by_system_call(uintptr_t base);

inline void set_tls_base(uintptr_t base) {
  if (__builtin_expect(has_fsgsbase, 1))
    asm volatile("wrfsbase %0" ::"r"(base) : "memory");
  else
    set_tls_base_by_system_call(base);
}

// Only the caller writes `count`; others look. One instruction, of which a compiler makes three.
inline void add_alone(std::atomic<uint32_t>& count, uint32_t more) {
  asm volatile("addl %1, %0" : "+m"(count) : "er"(more) : "cc");
}

inline uint64_t cycles() { return __builtin_ia32_rdtsc(); }

}  // namespace tulle::arch
