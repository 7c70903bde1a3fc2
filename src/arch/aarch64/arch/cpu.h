// SPDX-License-Identifier: Apache-2.0
// aarch64: pause, fences and the TLS base register, which user code may write. None of these touches
// thread-local storage.
// Constants that are compared with cycles() are those of a core of 2.5 GHz: the counter of the architecture
// ticks at 25 MHz to 1 GHz and is scaled to that.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::arch {

// `yield` does nothing on a core with one hardware thread; this drains the pipeline, some tens of cycles.
inline void pause() { asm volatile("isb" ::: "memory"); }

// Orders earlier stores before later loads.
inline void full_fence() { asm volatile("dmb ish" ::: "memory"); }

// The same after an atomic read-modify-write or a sequentially consistent store: a later load passes both.
inline void fence_after_atomic() { full_fence(); }

// The light side of an asymmetric fence; os::heavy_fence() is the other side.
inline void light_fence() { asm volatile("" ::: "memory"); }

extern TULLE_NEAR uint32_t counter_scale;  // set once by detect_features()

void detect_features();

inline uintptr_t tls_base() {
  uintptr_t base;
  asm volatile("mrs %0, tpidr_el0" : "=r"(base));
  return base;
}

inline void set_tls_base(uintptr_t base) { asm volatile("msr tpidr_el0, %0" ::"r"(base) : "memory"); }

// Only the caller writes `count`; others look.
inline void add_alone(std::atomic<uint32_t>& count, uint32_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

inline uint64_t cycles() {
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks * counter_scale;
}

}  // namespace tulle::arch
