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

// Written once while a worker may look; what it finds there stays readable.
inline sched::Seat* seats_of(const Team* team) {
  return team->seats.load(std::memory_order_relaxed);
}

// How long the join leaves a member to a worker that may take it before it takes it itself.
inline constexpr int kGraceRounds = 100;

// Calls one member on the caller's stack: a loop's, or on top of the frames of `below`, in whose name
// others may run tasks meanwhile. Returns the worker that the caller is on then, with the block of what lies
// below in force.
TULLE_MAY_SUSPEND sched::Worker* call_member(const sched::Seat& seat, uint32_t generation,
                                             uint32_t number, sched::Worker* worker,
                                             Thread* below);
// Calls on the encountering thread's own stack what others have not claimed.
TULLE_MAY_SUSPEND void call_on_top(Team* team, const sched::Seat& seat, Thread* master,
                                   uint32_t number);
// Whoever called members of a seat: so many have ended.
void report_finished(Team* team, sched::Seat* seat, uint32_t called);
// The join: returns when all members have ended.
TULLE_MAY_SUSPEND void wait_for_members(Team* team);

// A team that a policy places: its members go where that wants them; the join calls those that it
// wants near the encountering thread, after some time all that are left, and waits for the others.
void place_team(Team* team, Thread* outer, Thread* master);
TULLE_MAY_SUSPEND void join_placed(Team* team, Thread* master);

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

// How many of `wanted` threads, the encountering one included, thread-limit-var leaves a region that
// `outer` encounters: as many are taken from the contention group until the join. Only called where
// that variable is a limit.
uint32_t reserve_threads(const Thread* outer, uint32_t wanted);
void give_back_threads(Team* team);
// In the child after fork(): the regions that the calling thread is in are all there are.
void recount_reserved(Thread* thread);

// Whether OpenMP threads carry TLS blocks of their own (TULLE_TLS, or what the program's modules
// show).
bool carries_thread_locals();

}  // namespace tulle::omp
