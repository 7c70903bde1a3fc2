// SPDX-License-Identifier: Apache-2.0
// Regions whose members spin on each other without any OpenMP call (BLIS meets at a barrier of its
// own). The monitor notices: a member runs in place, with the same registers at each look, while team mates
// wait behind it. Such a region is known by its code from then on. A nested one whose code was seen to ask for
// the size of its team (omp/thread/asked_size.h) gets a team of one unless somebody fixed the sizes of teams (dyn-var
// set to false): nothing between one and all, which such programs abort on. The members of all others are started
// together. A nested team of no more than there are workers waits until as many of them are in no such team (a *gang*),
// and its encountering thread until all of them have come: the workers of those that wait come to it meanwhile, so one gang
// follows another at the cost of a few switches. Where they do not come, or are too few, members begin on OS threads of
// their own, in some regions; then the code is forgotten, until it is seen again, and known for twice as many.
// A member of an outermost region may also sleep in a call that the runtime does not see, as in read() of a pipe that a
// team mate behind it writes to: the members of such a code are started together too, and that is all.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/region/parallel.h"

namespace tulle::omp {

// The monitor's word (sched::Settings::on_spin, on_sleep).
void note_spinning(sched::Entity* entity);
void note_sleeping(sched::Entity* entity);

extern TULLE_NEAR std::atomic<uint32_t> known_spinners;  // codes; W: the monitor
inline bool some_spin() { return known_spinners.load(std::memory_order_relaxed) != 0; }  // relaxed: a hint

// How many threads a nested region gets that asked for n.
uint32_t size_if_spinning(Thread* outer, const RegionRequest& request, uint32_t n);

// Where the nested team's members are known to spin: waits for its turn as a gang, for a while. Its member 0.
TULLE_MAY_SUSPEND TULLE_COLD void enter_gang(Team* team);
TULLE_COLD void leave_gang(Team* team);
// In the child after fork().
void forget_gangs();

// The team's members are waiting to be taken; if they are known to spin, all of them are at once.
TULLE_COLD void start_together_if_spinning(Team* team);

// The team's members, in this region or an earlier one of the same code, have been seen to spin on each other.
bool is_known_to_spin(const Team* team);

}  // namespace tulle::omp
