// SPDX-License-Identifier: Apache-2.0
#include "omp/binding/placement.h"

#include <string_view>

#include "base/hash.h"
#include "omp/binding/placement_record.h"
#include "omp/environment/display.h"
#include "omp/places/places.h"
#include "omp/places/worker_place.h"
#include "omp/thread/team.h"
#include "omp/thread/league.h"
#include "os/cpus.h"

namespace tulle::omp {
namespace {

// Where `item` goes when `items` are dealt out to `boxes` in blocks as even as can be, the larger
// blocks first.
uint32_t box_of(uint32_t item, uint32_t items, uint32_t boxes) {
  uint32_t small = items / boxes, larger = items % boxes;
  uint32_t in_larger = larger * (small + 1);
  return item < in_larger ? item / (small + 1) : larger + (item - in_larger) / small;
}

// The first item of a box under the same rule.
uint32_t box_begin(uint32_t box, uint32_t items, uint32_t boxes) {
  uint32_t small = items / boxes, larger = items % boxes;
  return box * small + (box < larger ? box : larger);
}

// Threads on the places of the partition, beginning with the encountering thread's.
uint32_t close_offset(uint32_t places, uint32_t nthreads, uint32_t num, uint32_t outer_offset) {
  uint32_t step = nthreads <= places ? num : box_of(num, nthreads, places);
  return (outer_offset + step) % places;
}

Placement spread(const Placement& outer, uint32_t nthreads, uint32_t num, uint32_t outer_offset) {
  uint32_t places = outer.count;
  if (nthreads > places) {
    uint32_t at = outer.first + close_offset(places, nthreads, num, outer_offset);
    return {static_cast<int32_t>(at), at, 1};
  }
  // The partition is cut into one part per thread; the encountering thread's part is member 0's.
  uint32_t own = box_of(outer_offset, places, nthreads);
  uint32_t part = (own + num) % nthreads;
  uint32_t first = outer.first + box_begin(part, places, nthreads);
  uint32_t end = outer.first + box_begin(part + 1, places, nthreads);
  return {num == 0 ? outer.place : static_cast<int32_t>(first), first, end - first};
}

// As in libgomp, the clause is what regions inside find, unless a list says something else.
void keep_clause_inside(Team* team, const Icv& outer, ProcBind clause) {
  if (clause == ProcBind::off || outer.bind == ProcBind::off || outer.bind_inner_count != 0) return;
  team->icv_inside = *team->icv;
  team->icv_inside.bind = clause;
  team->icv = &team->icv_inside;
}

// All that decides where a team's threads are, and how many there are, as one number.
uint64_t appearance(const Team* team, const Thread* outer) {
  uint64_t sum = team->nthreads;
  Placement around = placement_of(outer);
  for (uint64_t value : {uint64_t{team->level}, static_cast<uint64_t>(team->bind),
                         static_cast<uint64_t>(around.place) + 1, uint64_t{around.first},
                         uint64_t{around.count}})
    sum = golden_hash(sum, value);
  return sum;
}

// The same thread in libomp: there a team's member 0 is the one that encountered the region.
Thread* encountering(Thread* thread) {
  while (thread->num == 0 && thread->team->parent != nullptr) thread = thread->team->parent;
  return thread;
}

// Whether one of the team's threads was displayed in another team since.
bool displayed_elsewhere(const Team* team, Thread* outer) {
  bool elsewhere = encountering(outer)->displayed_in != team;
  for (uint32_t i = 1; i < team->nthreads && !elsewhere; ++i) {
    const Team* last = team->members[i]->displayed_in;
    elsewhere = last != nullptr && last != team;
  }
  return elsewhere;
}

// libgomp displays nested teams each time, others when they change, and none of one thread; libomp whole teams
// of which a thread has changed its level, its number of team mates or its place.
bool shall_display(Team* team, Thread* outer) {
  uint64_t now = appearance(team, outer);
  bool changed = now != team->displayed_as;
  team->displayed_as = now;
  if (team->peer == Peer::libgomp) return team->nthreads > 1 && (team->level > 1 || changed);
  changed = changed || displayed_elsewhere(team, outer);
  encountering(outer)->displayed_in = team;
  for (uint32_t i = 1; i < team->nthreads; ++i) team->members[i]->displayed_in = team;
  return changed;
}

// Or shares the place that its program asked for.
bool has_worker_to_itself(const Team* team) {
  return team->nthreads > 1 &&
         (is_flat(team) || (team->bind == ProcBind::primary && team->level == 1));
}

// The places of members 0 to nthreads - 1, which mostly are what they were in the region before.
void assign_places(Team* team, ProcBind policy, const Placement& around) {
  if (team->assigned == team->nthreads && team->bind == policy && team->around == around) return;
  team->assigned = team->nthreads;
  team->bind = policy;
  team->around = around;
  for (uint32_t i = 0; i < team->nthreads; ++i)
    team->members[i]->placement = place_member(policy, around, team->nthreads, i);
}

// Of a team's member.
int32_t place_in_team(const Thread* member) {
  return TULLE_LIKELY(member->teams_data == nullptr) ? member->placement.place : placement_of(member).place;
}

}  // namespace

Placement place_member(ProcBind policy, const Placement& outer, uint32_t nthreads, uint32_t num) {
  if (outer.place < 0 || policy == ProcBind::off) return {-1, outer.first, outer.count};
  uint32_t outer_offset = static_cast<uint32_t>(outer.place) - outer.first;
  switch (policy) {
    case ProcBind::primary: return outer;
    case ProcBind::spread: return spread(outer, nthreads, num, outer_offset);
    case ProcBind::in_turn:
      return {static_cast<int32_t>(outer.first + (outer_offset + num) % outer.count), outer.first, outer.count};
    default: break;  // `true` leaves the policy to us: close
  }
  uint32_t offset = close_offset(outer.count, nthreads, num, outer_offset);
  return {static_cast<int32_t>(outer.first + offset), outer.first, outer.count};
}

Placement placement_of(const Thread* thread) {
  uint32_t count = static_cast<uint32_t>(places().count());
  if (count == 0) return {-1, 0, 0};
  if (thread == nullptr) return {0, 0, count};
  const Team* team = thread->team;
  Placement own = team->parent == nullptr ? Placement{0, 0, count} : thread->placement;
  const auto* league = static_cast<const League*>(thread->teams_data);
  if (league == nullptr || league->bind == ProcBind::off) return own;
  return place_member(league->bind, own, league->teams, league->team);
}

ProcBind bind_of_peer(ProcBind bind_var, const Source& source, Peer peer) {
  if (peer == Peer::libgomp || bind_var == ProcBind::off) return bind_var;
  const std::string_view variable = source.variable != nullptr ? source.variable : "";
  if (variable == "KMP_AFFINITY" || variable == "GOMP_CPU_AFFINITY")
    return bind_var == ProcBind::spread ? bind_var : ProcBind::in_turn;
  return bind_var == ProcBind::on ? ProcBind::spread : bind_var;
}

// libomp has a number of its own for what KMP_AFFINITY asks for, and does not bind for a subset of the machine.
int32_t told_bind(ProcBind bind_var, Peer peer) {
  const GlobalIcv& icv = global_icv();
  const Source& source = icv.proc_bind.source;
  if (peer == Peer::libomp && bind_var != ProcBind::off && source.variable != nullptr) {
    if (source.variable == icv.kmp_hw_subset.source.variable) return static_cast<int32_t>(ProcBind::off);
    if (source.variable == icv.kmp_affinity.source.variable) return static_cast<int32_t>(ProcBind::in_turn);
  }
  return static_cast<int32_t>(bind_of_peer(bind_var, source, peer));
}

void observe_fork(Team* team, Thread* outer, ProcBind clause, Peer peer) {
  const Icv& icv = *outer->task()->icv;
  ProcBind bind = icv.bind;
  if (peer == Peer::libomp) bind = bind_of_peer(bind, global_icv().proc_bind.source, peer);
  assign_places(team, region_policy(clause, bind), placement_of(outer));
  keep(team->peer, peer);
  if (peer == Peer::libgomp) keep_clause_inside(team, icv, clause);
  keep(team->displayed, global_icv().display_affinity.value && shall_display(team, outer));
  ult::happens_before(team);  // pairs with observe_member
}

void observe_member(Thread* thread) {
  ult::happens_after(thread->team);  // pairs with fork
  const int32_t place = place_in_team(thread);
  if (place >= 0) bind_worker_to(thread->worker, place, has_worker_to_itself(thread->team));
  if (thread->team->displayed) display_affinity_of(thread, thread->team->peer);
  if (global_icv().placement.value != nullptr) record_member(thread);
}

void observe_join(const Thread* primary) {
  const int32_t place = place_in_team(primary);
  if (place < 0) return;
  if (global_icv().unbinds.value && primary->team->level == 1) {
    forget_bound_worker(primary->worker);
    os::set_affinity_mask(0, cpus_before_binding());
  } else if (primary->team->ran_by_parent != 0 && has_worker_to_itself(primary->team)) {
    bind_worker_to(primary->worker, place, true);
  }
}

void bind_team(const Thread* thread) {
  int32_t place = placement_of(thread).place;
  if (place >= 0) bind_worker_to(thread->worker, place, true);
}

}  // namespace tulle::omp
