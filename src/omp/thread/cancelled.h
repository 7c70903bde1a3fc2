// SPDX-License-Identifier: Apache-2.0
// Team::cancelled has kCancelParallel in bit 0. Above it stands which worksharing construct is
// cancelled, by the number of the barrier that ends it: such a construct has no nowait, so there is
// one between two barriers, and the mark needs no reset. W: cancelling threads; R: all members.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

inline bool cancellation_enabled() { return global_icv().cancellation.value; }

// Relaxed: a member that learns late runs a little further.
inline bool parallel_cancelled(const Team* team) {
  return (team->cancelled.load(std::memory_order_relaxed) & kCancelParallel) != 0;
}

}  // namespace tulle::omp
