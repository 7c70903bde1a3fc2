// SPDX-License-Identifier: Apache-2.0
// Regions whose members spin on each other without any OpenMP call (BLIS meets at a barrier of its
// own). The monitor notices: a member of a nested team runs in place, with the same registers at each
// look, while team mates wait behind it. Such a region is known by its code from then on. Unless
// somebody fixed the sizes of teams (dyn-var set to false) it gets a team of one: nothing between one and all,
// which such programs abort on. Where they are fixed, its members are started together, on OS threads of their
// own.
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

}  // namespace tulle::omp
