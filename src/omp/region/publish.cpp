// SPDX-License-Identifier: Apache-2.0
#include "omp/region/publish.h"

#include <algorithm>

#include "arch/cpu.h"
#include "omp/task/announced_team.h"
#include "omp/task/task_ready.h"
#include "os/clock.h"
#include "os/fence.h"
#include "sched/announce.h"
#include "sched/durations.h"

namespace tulle::omp {

namespace {

bool is_attended(const sched::Seat& seat) {
  return seat.worker->seat.load(std::memory_order_relaxed) == &seat;
}

// To take back what was reserved in vain costs a system call: after that the next regions are open to all.
constexpr uint32_t kOpenRegions = 16;

bool is_expected(sched::Seat& seat) {
  if (TULLE_LIKELY(seat.open_regions == 0)) return is_attended(seat);
  --seat.open_regions;
  return false;
}

void publish_open(sched::Seat& seat, uint32_t generation, uint32_t low, uint32_t high) {
  seat.reserved = false;
  seat.claims.publish(generation, low, high);
}

void reserve(sched::Seat& seat, uint32_t generation, uint32_t number) {
  if (TULLE_LIKELY(seat.reserved))
    seat.claims.reserve(generation, number);
  else
    seat.reserved = seat.claims.reserve_anew(seat.own, generation, number);
}

// True: it is open to all from now on.
bool open_reserved(sched::Seat& seat) {
  if (!seat.claims.open_reserved(seat.own)) return false;
  seat.reserved = false;
  return true;
}

}  // namespace

void set_call(sched::Seat& seat, Team* team, arch::FloatControl control) {
  seat.function = team->function;
  const RegionWords* from = team->words;
  if (TULLE_LIKELY(from == nullptr)) {
    seat.call = control | sched::kOnlyData;
    seat.words[0] = team->data;
    return;
  }
  keep(team->call_with_words, from->call);
  if (TULLE_UNLIKELY(from->count > sched::kSeatWords)) {
    seat.call = (control & ~sched::kWordCount) | sched::kManyWords;
    seat.words[0] = const_cast<void**>(from->words);
    seat.words[1] = reinterpret_cast<void*>(uintptr_t{from->count});
    return;
  }
  seat.call = (control & ~sched::kWordCount) | from->count;
  for (uint32_t i = 0; i < from->count; ++i) seat.words[i] = from->words[i];
}

void count_anew(Team* team) {
  team->to_finish += team->nthreads - 1 - team->ran_by_parent;  // that of the region before is counted nowhere
  team->ran_by_parent = 0;
  ++team->regions_counted;
}

namespace {

// What a seat tells, to be told at others: read once.
class Told {
 public:
  explicit Told(const sched::Seat& seat)
      : function_(seat.function), call_(seat.call), word_(seat.words[0]), more_(seat.words + 1), more_count_(more_in(seat.call)) {
    std::copy_n(seat.counts, kCounts, counts_);
  }

  void tell(sched::Seat& seat) const {
    seat.function = function_;
    std::copy_n(counts_, kCounts, seat.counts);
    seat.call = call_;
    seat.words[0] = word_;
    for (uint32_t i = 0; i < more_count_; ++i) seat.words[1 + i] = more_[i];
  }

 private:
  // Words behind the first.
  static uint32_t more_in(arch::FloatControl call) {
    const uint32_t count = call & sched::kWordCount;
    if (count == sched::kManyWords) return 1;
    return count == sched::kOnlyData || count == 0 ? 0 : count - 1;
  }

  void (*function_)(void*);
  uint32_t counts_[kCounts];
  arch::FloatControl call_;
  void* word_;
  void* const* more_;
  uint32_t more_count_;
};

// The seats of the members that `member` tells, as its own is. True: their workers poll for all of them.
bool publish_below(Team* team, const sched::Seat& from, uint32_t generation, uint32_t member) {
  sched::Seat* all = seats_of(team);
  const Told what(from);
  team->tree->for_each_told_by(member, [&](uint32_t told) {
    sched::Seat& seat = all[told];
    what.tell(seat);
    if (TULLE_LIKELY(is_expected(seat)))
      reserve(seat, generation, told);
    else
      publish_open(seat, generation, told, told + 1);
  });
  os::hot_fence();  // the claims before the looks at who polls; pairs with a sleeper's heavy fence
  bool all_attended = true;
  team->tree->for_each_told_by(member, [&](uint32_t told) {
    if (TULLE_LIKELY(is_attended(all[told]))) return;
    all_attended = false;
    open_reserved(all[told]);
    sched::point_to(&all[told]);
  });
  return all_attended;
}

// They were, and none has left since; or they are now.
bool all_are_at_their_seats(Team* team) {
  const uint32_t departures = team->departures.load(std::memory_order_relaxed);  // a hint, as what follows
  if (TULLE_LIKELY(team->departures_seen == departures)) return true;
  for (uint32_t i = 1; i < seat_count(team); ++i)
    if (!is_attended(seats_of(team)[i])) return false;
  team->departures_seen = departures;
  return true;
}

TULLE_NOINLINE bool publish_by_leaders(Team* team) {
  sched::Seat& own = seats_of(team)[0];
  count_anew(team);
  set_call(own, team, arch::float_control());
  set_counts(own, team);
  publish_open(own, team->generation, 1, 1);
  return publish_below(team, own, team->generation, 0);
}

}  // namespace

void publish_as_leader(Team* team, const sched::Seat& seat, uint32_t generation, uint32_t leader) {
  if (TULLE_LIKELY(publish_below(team, seat, generation, leader))) return;
  announce_for_region(team, nullptr);
  offer(team);
}

uint32_t finished_at_leaders(const Team* team) {
  uint32_t finished = 0;
  const sched::Seat* seats = seats_of(team);
  team->tree->for_each_leader([&](uint32_t leader) {
    finished += seats[leader].finished.load(std::memory_order_acquire);  // pairs with the adds
  });
  return finished;
}

void count_where_they_meet(Team* team) {
  const bool at_leaders = counts_at_leaders(team);
  sched::Seat* seats = seats_of(team);
  const uint32_t count = seat_count(team);
  for (uint32_t i = 0; i < count; ++i) {
    seats[i].leader = at_leaders ? &seats[team->tree->leader_of(i)] : nullptr;
    seats[i].counter = at_leaders ? &seats[team->tree->counter_of(i)] : nullptr;
    seats[i].counted_below = 0;
    seats[i].ended.store(0, std::memory_order_relaxed);  // published with the claims, as the next
    seats[i].finished.store(0, std::memory_order_relaxed);
  }
  for (uint32_t i = 1; at_leaders && i < count; ++i) {
    ++seats[i].counter->counted_below;
    if (seats[i].counter != seats[i].leader) ++seats[i].leader->counted_below;
  }
  team->ran_by_parent = team->to_finish = team->regions_counted = 0;
}

namespace {

uint32_t count_at(sched::Seat* counter, uint32_t ended) {
  const uint32_t all = counter->counted_below;  // who does not come last may not look at the team any more
  // Both: the last one passes on what the others did before.
  const uint64_t before = counter->ended.fetch_add(ended, std::memory_order_acq_rel);
  return before / all == (before + ended) / all ? 0 : all;
}

}  // namespace

uint32_t count_below(const sched::Seat* seat, uint32_t ended) {
  sched::Seat* const leader = seat->leader;
  sched::Seat* const counter = seat->counter;
  ended = count_at(counter, ended);
  return ended == 0 || counter == leader ? ended : count_at(leader, ended);
}

bool publish_members(Team* team) {
  const bool many = team->meets_at == MeetAt::tree;
  if (TULLE_UNLIKELY(many)) {
    keep(team->by_leaders, team->tree->by_leaders() && all_are_at_their_seats(team));
    if (team->by_leaders) return publish_by_leaders(team);
  }
  uint32_t n = team->nthreads, seats = seat_count(team);
  sched::Seat* all = seats_of(team);
  uint32_t generation = team->generation;
  uint32_t low = 1;
  bool seated = team->seated.load(std::memory_order_relaxed);  // relaxed: its own store
  bool all_attended = seated;
  count_anew(team);
  const arch::FloatControl control = arch::float_control();
  for (uint32_t i = 0; i < seats; ++i) {
    sched::Seat& seat = all[i];
    uint32_t high = static_cast<uint32_t>(uint64_t{n} * (i + 1) / seats);
    if (high < low) high = low;
    set_call(seat, team, control);
    set_counts(seat, team);
    if (seated && i != 0 && is_expected(seat)) {
      reserve(seat, generation, low);
    } else {
      publish_open(seat, generation, low, high);
    }
    low = high;
  }
  os::hot_fence();  // the claims before the looks at who polls; pairs with a sleeper's heavy fence
  for (uint32_t i = 1; i < seats; ++i) {
    if (TULLE_LIKELY(is_attended(all[i]))) continue;
    all_attended = false;
    open_reserved(all[i]);
    // A few find their seats through the runqueue as fast; many would stand in line for its lock.
    if (TULLE_UNLIKELY(many)) sched::point_to(&all[i]);
  }
  return all_attended;
}

void take_back(sched::Seat& seat) {
  if (open_reserved(seat)) seat.open_regions = kOpenRegions;
}

namespace {

// Somebody polls for what is left, or, without a look at what is left, for anything. Such a look moves the line in which
// the seat's worker claims one member after the other, or says that it has taken the reserved one: then it is not looked
// at at all.
bool somebody_comes(const Team* team, bool looks_at_claims) {
  for (uint32_t i = 1; i < seat_count(team); ++i) {
    const sched::Seat& seat = seats_of(team)[i];
    if (is_attended(seat) && (!looks_at_claims || seat.reserved || seat.left() != 0)) return true;
  }
  return false;
}

// True: all have finished.
bool leave_some_time(const Team* team, uint32_t pauses) {
  for (; pauses != 0; --pauses) {
    arch::pause();
    if (all_finished(team)) return true;
  }
  return false;
}

}  // namespace

bool leave_time(const Team* team) {
  constexpr uint64_t kParts = 6, kPartsBetweenLooks = 3;
  const uint32_t pauses = os::pauses_in(sched::durations::kGrace / kParts);
  for (uint64_t part = 1; part <= kParts; ++part) {
    if (leave_some_time(team, pauses)) return true;
    if (!somebody_comes(team, part % kPartsBetweenLooks == 0)) return false;
  }
  return false;
}

// Its publication alone takes long.
TULLE_COLD bool leave_time_to_many(const Team* team) {
  const uint64_t begun = os::now();
  do {
    if (leave_some_time(team, 16)) return true;
  } while (os::now() - begun < sched::durations::kLargeGrace && somebody_comes(team, false));
  return false;
}

}  // namespace tulle::omp
