// SPDX-License-Identifier: Apache-2.0
// The identifier of a task in a static graph: Equation 6.1 of the P-SOCRATES book (chapter 6),
//   t_id = sid + T * sum(l_i * M^i),  i = 1..L,
// sid the number of the construct in the source, T how many constructs there are, l the counters of the loops
// around it, outermost first, M the largest number of iterations of any of them. Pure.
#pragma once

#include <cstdint>
#include <span>

namespace tulle::omp {

inline constexpr uint64_t kNoTaskId = UINT64_MAX;

struct TaskIds {
  uint32_t constructs;  // T
  uint32_t trips;       // M

  // Two tasks of equal depth of loops that differ in a number have different identifiers only if all
  // numbers are below their bounds. kNoTaskId: one is not, or the identifier does not fit into 64 bits.
  // (Depths may differ: the builder of a graph compares what comes of it.)
  constexpr uint64_t identify(uint32_t construct, std::span<const uint32_t> loops) const {
    if (construct >= constructs) return kNoTaskId;
    uint64_t sum = 0, weight = trips;
    for (uint32_t counter : loops) {
      uint64_t term = 0;
      if (counter >= trips || __builtin_mul_overflow(weight, counter, &term) ||
          __builtin_add_overflow(sum, term, &sum))
        return kNoTaskId;
      // A weight that does not fit matters only if a further counter is above 0.
      if (__builtin_mul_overflow(weight, trips, &weight)) weight = UINT64_MAX;
    }
    uint64_t id = 0;
    if (__builtin_mul_overflow(sum, constructs, &id) || __builtin_add_overflow(id, construct, &id))
      return kNoTaskId;
    return id;
  }
};

}  // namespace tulle::omp
