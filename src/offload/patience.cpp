// SPDX-License-Identifier: Apache-2.0
#include "offload/patience.h"

namespace tulle::offload {

namespace {

constexpr uint32_t kFirstWaits = 16, kMostWaits = 4096;

std::atomic<uint32_t> waits{kFirstWaits};  // that are without a look, when others have had the core next

}  // namespace

bool may_give_core() {
  const uint32_t left = sched::crowded.load(std::memory_order_relaxed);
  if (TULLE_LIKELY(left == 0)) return true;
  sched::crowded.store(left - 1, std::memory_order_relaxed);
  return false;
}

void note_core(bool others_had_it) {
  const uint32_t next = waits.load(std::memory_order_relaxed);
  if (others_had_it) {
    sched::crowded.store(next, std::memory_order_relaxed);
    waits.store(std::min(2 * next, kMostWaits), std::memory_order_relaxed);
  } else if (next != kFirstWaits) {
    waits.store(kFirstWaits, std::memory_order_relaxed);
  }
}

}  // namespace tulle::offload
