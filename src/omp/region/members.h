// SPDX-License-Identifier: Apache-2.0
// How the members of a team come to run: they are published at seats, claimed, and called; the join
// calls what nobody else claims, and waits for the others.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// The functions of a team as a bubble and of its seats (sched/runqueue.h, sched/worker.h).
sched::Worker* serve_team(sched::Bubble* bubble, sched::Worker* worker);
sched::Worker* serve_seat(sched::Seat* seat, sched::Worker* worker);
uint32_t left_in_team(const sched::Bubble* bubble, const sched::Worker* worker, uint32_t enough);

// Whether the join may call members on top of frames that w runs. A guest has no room for them: its stack is another
// library's, and what suspends there stays there.
inline bool may_call_on_top(const sched::Worker* w) {
  return !ult::keeps_stacks_apart() && sched::has_room(w);
}
// Calls one member on a loop's stack. Returns the worker that the caller is on then, with that one's own
// block in force.
TULLE_MAY_SUSPEND sched::Worker* call_member(const sched::Seat& seat, uint32_t generation,
                                             uint32_t number, sched::Worker* worker);
// Calls one on top of the frames of `below`, the team's member 0 at its join, in whose name others may run
// tasks meanwhile.
TULLE_MAY_SUSPEND void call_on_top(Team* team, sched::Seat& seat, Thread* below,
                                   uint32_t number);
// For the caller of members of a seat: so many have ended.
void report_finished(Team* team, sched::Seat* seat, uint32_t called);
// The join: returns when all members have ended.
TULLE_MAY_SUSPEND void wait_for_members(Team* team);

}  // namespace tulle::omp
