// SPDX-License-Identifier: Apache-2.0
// Whether a nested region's code has asked how many threads its team has, or has had work divided by that:
// such code does with one thread what it does with several. Known by the region's code, for good. Any
// thread; hints, so that nothing is ordered and two codes that share a place may forget each other.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

TULLE_COLD void note_size_asked(const Team* team);
bool has_asked_size(const void* code);

// A member asks.
inline void ask_size(const Team* team) {
  if (TULLE_UNLIKELY(team->active_level > 1)) note_size_asked(team);
}

}  // namespace tulle::omp
