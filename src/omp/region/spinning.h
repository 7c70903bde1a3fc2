// SPDX-License-Identifier: Apache-2.0
// Regions whose members spin on each other without any OpenMP call (BLIS meets at a barrier of its
// own). The monitor notices: a member runs in place, with the same registers at each look, while team mates
// wait behind it. Such a region is known by its code from then on. A nested one whose code was seen to ask for
// the size of its team (omp/thread/asked_size.h) gets a team of one unless somebody fixed the sizes of teams (dyn-var
// set to false): nothing between one and all, which such programs abort on. The members of all others are started
// together, on OS threads of their own, for some regions; then the code is forgotten, until it is seen again,
// and known for twice as many.
#pragma once

#include <cstdint>

#include "omp/region/parallel.h"

namespace tulle::omp {

// The monitor's word (sched::Settings::on_spin).
void note_spinning(sched::Entity* entity);

// How many threads a nested region gets that asked for n.
uint32_t size_if_spinning(Thread* outer, const RegionRequest& request, uint32_t n);

// The team's members are waiting to be taken; if they are known to spin, all of them are at once.
void start_together_if_spinning(Team* team);

// The team's members, in this region or an earlier one of the same code, have been seen to spin on each other.
bool is_known_to_spin(const Team* team);

}  // namespace tulle::omp
