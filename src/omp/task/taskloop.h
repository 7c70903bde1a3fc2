// SPDX-License-Identifier: Apache-2.0
// How a taskloop divides its iterations (OpenMP 5.2 §12.6), and how tasks that carry many parts
// claim them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

enum class TaskloopGrain : uint8_t { none, grainsize, num_tasks };

// `tasks` chunks in the order of the iterations: the first `longer` ones have `base` + 1 iterations,
// the others `base`, but the last one `last`.
struct TaskloopSplit {
  uint64_t tasks;
  uint64_t base;
  uint64_t longer;
  uint64_t last;

  uint64_t iterations(uint64_t task) const {
    if (task + 1 == tasks) return last;
    return base + (task < longer ? 1 : 0);
  }
  // The number of its first one.
  uint64_t begin(uint64_t task) const { return task * base + (task < longer ? task : longer); }
};

// `trips` iterations, at least 1; `grain` is the clause's value, at least 1 where there is one.
TaskloopSplit split_taskloop(uint64_t trips, TaskloopGrain kind, uint64_t grain, bool strict,
                             uint32_t nthreads);

// How many tasks to make for a loop of so many parts; 0: one for each part.
uint32_t taskloop_carriers(Thread* thread, uint64_t parts);

// Whether its parts are called where the loop is encountered: nobody else could run them, or nobody else may.
bool taskloop_called_at_once(Thread* thread, bool undeferred, int32_t priority);

// The parts of a loop that nobody has begun. Any thread claims: many at first, one at a time at the
// end, so that unequal parts even out and one that blocks holds few others.
class PartClaims {
 public:
  PartClaims(uint64_t first, uint64_t parts, uint32_t carriers) : parts_(parts), carriers_(carriers), next_(first) {}

  // How many parts from `first` on are the caller's; 0: none is left.
  uint64_t claim(uint64_t& first) {
    const uint64_t seen = next_.load(std::memory_order_relaxed);  // relaxed: only numbers are handed over
    if (seen >= parts_) return 0;
    const uint64_t count = std::max<uint64_t>(2 * (parts_ - seen) / carriers_, 1);
    // Many that exchanged it would keep each other from it. It ends a little above `parts_`.
    first = next_.fetch_add(count, std::memory_order_relaxed);
    return first >= parts_ ? 0 : std::min(count, parts_ - first);
  }

 private:
  const uint64_t parts_;
  const uint64_t carriers_;
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> next_;
};

}  // namespace tulle::omp
