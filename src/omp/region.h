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
uint32_t left_in_team(const sched::Bubble* bubble, const sched::Worker* worker);

// From now until the region ends the team's bubble is where idle workers find tasks. Any member.
void open_for_tasks(Team* team, sched::Worker* worker);

// Records of initial threads (threads that no parallel region made).
Thread* take_initial_thread();
void release_initial_thread(Thread* root);

// The region, or the initial thread, ends: nobody looks for the team's tasks any more. Parent.
void close_for_tasks(Team* team);

// In the child after fork(). Free teams have seats of workers that are gone; the runqueue that a
// team was in is empty.
void forget_free_teams();
void forget_announcement(Team* team);

// Whether OpenMP threads carry TLS blocks of their own (TULLE_TLS, or what the program's modules
// show).
bool carries_thread_locals();

}  // namespace tulle::omp
