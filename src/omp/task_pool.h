// SPDX-License-Identifier: Apache-2.0
// The explicit tasks of a team: one deque for each worker that takes part, and the counts from which
// a barrier learns that all are complete.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

struct Thread;

class TaskPool {
 public:
  // The number of the barrier before which tasks were last created. W: creators; R: barriers.
  // Read-mostly: written once between two barriers.
  std::atomic<uint32_t> used_before{0};

  bool used(uint32_t barrier) const {
    // Relaxed: a creator's store is ordered by its arrival at the barrier.
    return used_before.load(std::memory_order_relaxed) == barrier;
  }
};

}  // namespace tulle::omp
