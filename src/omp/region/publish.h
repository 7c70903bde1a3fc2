// SPDX-License-Identifier: Apache-2.0
// How a region is published at the seats of its team, and how the join learns that its members have ended.
// Where each member has a seat of its own, and its worker polls there, the member is reserved for it
// (sync/claim_range.h): a region moves the seat's line to the worker, and its second pair to the join.
#pragma once

#include "arch/cpu.h"
#include "base/look.h"
#include "omp/thread/meeting_tree.h"
#include "omp/thread/team.h"

namespace tulle::omp {

// A reader that may be late reads the count first: it is written after the seats (acquire; pairs with fit_team).
inline uint32_t seat_count(const Team* team) { return team->seats_used.load(std::memory_order_acquire); }

inline sched::SeatRange seat_range(const Team* team) {
  uint32_t count = seat_count(team);
  return {seats_of(team), count};
}

// Each count by a load of its own: one load of two waits for both stores to leave the store buffer.
inline void set_counts(sched::Seat& seat, const Team* team) {
  for (uint32_t i = 0; i < kCounts; ++i) seat.counts[i] = look(team->first[i]);
}

// The function to call, and its floating-point control: four words fit into the line that is published, the
// others move one more.
void set_call(sched::Seat& seat, Team* team, arch::FloatControl control);

// Begins to count the members of a region that end elsewhere than on top of the encountering thread's frames.
void count_anew(Team* team);

// Divides members 1 to n-1 among the seats and publishes them. True if each went to a worker that
// polls for it.
bool publish_members(Team* team);

// Where clusters share caches, and all workers are at their seats, the encountering thread publishes the leaders of
// clusters, and whoever begins a leader the others of its cluster, before the leader's own part of the region: by its claim,
// so once. The leader has begun, at `seat`.
TULLE_NOINLINE void publish_as_leader(Team* team, const sched::Seat& seat, uint32_t generation, uint32_t leader);

// Each cluster's are counted at its leader's seat, where the join finds them when all have ended.
inline bool counts_at_leaders(const Team* team) { return team->meets_at == MeetAt::tree && team->tree->by_leaders(); }
TULLE_NOINLINE uint32_t finished_at_leaders(const Team* team);

// Members that were called at a seat have ended. Returns how many of its cluster the join is to learn of, at the leader's
// seat: all, or none.
TULLE_NOINLINE uint32_t count_below(const sched::Seat* seat, uint32_t ended);

// All members of the seat's cluster have ended; false where nobody counts it.
inline bool has_cluster_ended(const Team* team, const sched::Seat& seat) {
  const sched::Seat* leader = seat.leader;
  return leader != nullptr &&  // acquire: pairs with the adds
         leader->finished.load(std::memory_order_acquire) == leader->counted_below * team->regions_counted;
}

// Says where. Encountering thread, when the team has been made fit and nobody counts.
void count_where_they_meet(Team* team);

// Members that have ended at the seats in use, ever.
inline uint32_t finished_at_seats(const Team* team) {
  if (TULLE_UNLIKELY(counts_at_leaders(team))) return finished_at_leaders(team);
  uint32_t finished = 0;
  uint32_t count = seat_count(team);
  const sched::Seat* seats = seats_of(team);
  for (uint32_t i = 0; i < count; ++i)
    finished += seats[i].finished.load(std::memory_order_acquire);  // pairs with the adds
  return finished;
}

inline bool all_finished(const Team* team) {
  return finished_at_seats(team) + team->ran_by_parent == team->to_finish;
}

// A worker that polls its seat is about to claim: it gets some time before the join takes over. True: all
// members have ended.
bool leave_time(const Team* team);
bool leave_time_to_many(const Team* team);  // of a team that meets at a tree

// The join, before it claims: what a seat's worker has not begun is open to all.
void take_back(sched::Seat& seat);

}  // namespace tulle::omp
