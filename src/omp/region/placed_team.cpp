// SPDX-License-Identifier: Apache-2.0
// Regions of teams that a policy places (sched/placing.h): members 1 to n-1 are the parts of the
// team's bubble. Nothing of this runs with the default policy.
#include "arch/cpu.h"
#include "omp/region/members.h"
#include "omp/region/placed_team.h"
#include "omp/region/publish.h"
#include "omp/region/spinning.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/placing.h"

namespace tulle::omp {

namespace {

// A load that a thread has announced for itself counts; else it has its share of what the encountering
// thread has said.
double load_of(const Team* team, const Thread* outer, uint32_t number) {
  double own = team->members[number]->next_load;
  if (own > 0) return own;
  return outer->next_load > 0 ? outer->next_load / team->nthreads : 1;
}

// The taker of the part calls the member that it stands for.
sched::Worker* call_part(sched::PlacedThread* part, sched::Worker* w) {
  auto* team = static_cast<Team*>(part->bubble->team);
  sched::Seat& seat = seats_of(team)[0];
  w = call_member(seat, team->generation, part->number, w);
  sched::placed_ended(part);
  report_finished(team, &seat, 1);
  return w;
}

// Null: none is active. One that is not placed has a thread for each worker.
Team* team_around(const Thread* outer) {
  Team* active = nullptr;
  for (; outer != nullptr; outer = outer->team->parent) {
    if (outer->team->placed) return outer->team;
    if (active == nullptr && outer->team->active_level > 0) active = outer->team;
  }
  return active;
}

// The foreign worker in whose outermost region `thread` is. In a child of fork() that is the survivor,
// whose frames may lie anywhere.
sched::Worker* origin_of(const Thread* thread) {
  while (thread->team->parent != nullptr) thread = thread->team->parent;
  return thread->home != nullptr ? thread->home : thread->worker;
}

}  // namespace

TULLE_COLD void place_team(Team* team, Thread* outer, Thread* primary) {
  sched::Seat& seat = seats_of(team)[0];
  count_anew(team);
  set_call(seat, team, arch::float_control());
  set_counts(seat, team);
  sched::PlacedBubble& bubble = team->bubble;
  bubble.team = team;
  bubble.count = team->nthreads - 1;
  bubble.origin = origin_of(outer);
  bubble.call = call_part;
  bubble.own_load = load_of(team, outer, 0);
  for (uint32_t i = 0; i < bubble.count; ++i) bubble.parts[i].load = load_of(team, outer, i + 1);
  Team* around = team_around(outer);
  sched::place(&bubble, around != nullptr ? &around->bubble : nullptr, primary->worker, around != nullptr && !around->placed);
  if (team->active_level > 1) start_together_if_spinning(team);
}

TULLE_COLD void join_placed(Team* team, Thread* primary) {
  for (bool anywhere : {false, true}) {
    if (!sched::has_room(primary->worker) || primary->worker->guests == sched::Guests::itself) break;
    uint32_t next = 0;
    while (sched::PlacedThread* part =
               sched::take_own(&team->bubble, primary->worker, anywhere, next)) {
      call_on_top(team, seats_of(team)[0], primary, part->number);
      sched::placed_ended(part);
    }
    const uint32_t pauses = anywhere ? 0 : os::pauses_in(sched::durations::kGrace);
    for (uint32_t i = 0; i < pauses; ++i) {
      if (i % 16 == 0 && !sched::worth_waiting(&team->bubble)) break;
      arch::pause();
    }
  }
  wait_for_members(team);
  sched::end_placed(&team->bubble, primary->worker);
}

}  // namespace tulle::omp
