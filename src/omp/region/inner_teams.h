// SPDX-License-Identifier: Apache-2.0
// Teams of regions inside of regions, between these. One for each worker rests at the team whose members encounter such
// regions: the next one that begins on the worker, whichever member encounters it, finds members, stacks and TLS blocks
// that the worker's caches hold; and there are as many teams as such regions at once, not one for each member. Large ones
// are any worker's: of those there would be as many as workers, by and by, however few such regions there are at once.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// For a region of so many members that `outer` encounters; null: none rests for it. By the worker that outer is on.
Team* take_resting(const Thread* outer, uint32_t members);

// After the join of a region inside of a region, which `outer` has cached: the team is anybody's from now on, unless
// another one rests there already. By the worker that outer is on.
TULLE_NOINLINE void let_rest(Team* team, Thread* outer);

// All that rest at a team of which nothing runs, linked through next_free.
Team* take_all_resting(Team* outer);

}  // namespace tulle::omp
