// SPDX-License-Identifier: Apache-2.0
// How many threads a region gets.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// How many threads the region that `outer` encounters gets (OpenMP 5.2 §10.1.1): `requested` 0 for
// no num_threads clause. 1 where nesting is not active.
uint32_t team_size(Thread* outer, uint32_t requested);

// How many of `wanted` threads, the encountering one included, thread-limit-var leaves a region that
// `outer` encounters: as many are taken from the contention group until the join. Only called where
// that variable is a limit.
uint32_t reserve_threads(const Thread* outer, uint32_t wanted);
void give_back_threads(Team* team);
// In the child after fork(): the regions that the calling thread is in are all there are.
void recount_reserved(Thread* thread);

}  // namespace tulle::omp
