// SPDX-License-Identifier: Apache-2.0
// What threads look at where they come to a task scheduling point, beside tasks: one word, zero unless something from
// outside of the region wants to run here now (a region of a higher priority on a device, offload/urgent.h).
// Relaxed: a hint; who is called looks again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

// A page of its own, in place of which a process that is a device has its host's (os/shared_memory.h).
inline constexpr std::size_t kAttentionPage = 4096;
struct alignas(kAttentionPage) Attention {
  std::atomic<uint32_t> wanted{0};  // how many want something
  char rest[kAttentionPage - sizeof(uint32_t)] = {};
};
extern TULLE_NEAR Attention attention;

// Called while it is not zero, by any thread. W: who is to be called, before it counts.
extern TULLE_NEAR void (*attend)();

TULLE_MAY_SUSPEND inline void look_up() {
  if (TULLE_UNLIKELY(attention.wanted.load(std::memory_order_relaxed) != 0)) attend();
}

}  // namespace tulle::omp
