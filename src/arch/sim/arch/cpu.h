// SPDX-License-Identifier: Apache-2.0
// A simulated core: what arch/x86_64 does by instructions costs time of the model here.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/simulation.h"

namespace tulle::arch {

inline void pause() { tulle_sim_pause(); }
inline void full_fence() { tulle_sim_fence(); }

// As on x86: a read-modify-write is a full fence.
inline void fence_after_atomic() { asm volatile("" ::: "memory"); }
inline void light_fence() { asm volatile("" ::: "memory"); }

inline void detect_features() {}

// The address of the core's words, or of those that were put in force.
inline uintptr_t tls_base() { return tulle_sim_words()->block; }
inline void set_tls_base(uintptr_t base) { tulle_sim_words()->block = base; }

inline void add_alone(std::atomic<uint32_t>& count, uint32_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

inline uint64_t cycles() { return tulle_sim_now(); }

}  // namespace tulle::arch
