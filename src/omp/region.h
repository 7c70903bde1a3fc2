// SPDX-License-Identifier: Apache-2.0
// How a team's members come to run: shared by the files that make teams, regions and barriers.
#pragma once

#include "omp/team.h"

namespace tulle::omp {

// Larger teams of one worker a member meet at a counter instead of each other's flags.
inline constexpr uint32_t kFlatLimit = 8;

// The functions of a team as a bubble and of its seats (sched/runqueue.h, sched/worker.h).
sched::Worker* serve_team(sched::Bubble* bubble, sched::Worker* worker);
sched::Worker* serve_seat(sched::Seat* seat, sched::Worker* worker);
bool team_is_open(const sched::Bubble* bubble);

// Whether OpenMP threads carry TLS blocks of their own (TULLE_TLS, or what the program's modules
// show).
bool carries_thread_locals();

}  // namespace tulle::omp
