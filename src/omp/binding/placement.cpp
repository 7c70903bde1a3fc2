// SPDX-License-Identifier: Apache-2.0
#include "omp/binding/placement.h"

#include <atomic>

#include "base/hash.h"
#include "omp/binding/placement_record.h"
#include "omp/environment/display.h"
#include "omp/places/places.h"
#include "omp/places/worker_place.h"
#include "omp/thread/team.h"

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

// What was displayed of a thread last, at an entry that its address picks. Two threads that share an
// entry are displayed more often than need be.
constexpr uint32_t kDisplayed = 1024;
std::atomic<uint64_t> displayed[kDisplayed];

// Distinguishes what the fields of the format say of a thread.
uint64_t appearance(const Thread* thread, const Placement& placement) {
  uint64_t sum = reinterpret_cast<uintptr_t>(thread);
  for (uint64_t value : {uint64_t{thread->num}, uint64_t{thread->team->nthreads},
                         uint64_t{thread->team->level}, static_cast<uint64_t>(placement.place) + 1})
    sum = golden_hash(sum, value);
  return sum;
}

void display_if_changed(Thread* thread, const Placement& placement) {
  uint64_t now = appearance(thread, placement);
  std::atomic<uint64_t>& last =
      displayed[(reinterpret_cast<uintptr_t>(thread) / sizeof(Thread)) % kDisplayed];
  // Relaxed: it guards no data.
  if (last.exchange(now, std::memory_order_relaxed) != now) display_affinity_of(thread);
}

// Or shares the place that its program asked for.
bool has_worker_to_itself(const Team* team) {
  return team->nthreads > 1 &&
         (team->flat || (team->bind == ProcBind::primary && team->level == 1));
}

}  // namespace

Placement place_member(ProcBind policy, const Placement& outer, uint32_t nthreads, uint32_t num) {
  if (outer.place < 0 || policy == ProcBind::off) return {-1, outer.first, outer.count};
  uint32_t outer_offset = static_cast<uint32_t>(outer.place) - outer.first;
  switch (policy) {
    case ProcBind::primary: return outer;
    case ProcBind::spread: return spread(outer, nthreads, num, outer_offset);
    default: break;  // `true` leaves the policy to us: close
  }
  uint32_t offset = close_offset(outer.count, nthreads, num, outer_offset);
  return {static_cast<int32_t>(outer.first + offset), outer.first, outer.count};
}

Placement placement_of(const Thread* thread) {
  uint32_t count = static_cast<uint32_t>(places().count());
  if (count == 0) return {-1, 0, 0};
  const Team* team = thread == nullptr ? nullptr : thread->team;
  if (team == nullptr || team->parent == nullptr) return {0, 0, count};
  return place_member(team->bind, placement_of(team->parent), team->nthreads, thread->num);
}

void observe_member(Thread* thread) {
  ult::happens_after(thread->team);  // pairs with fork
  Placement placement = placement_of(thread);
  if (placement.place >= 0)
    bind_worker_to(thread->worker, placement.place, has_worker_to_itself(thread->team));
  if (global_icv().display_affinity.value) display_if_changed(thread, placement);
  if (global_icv().placement.value != nullptr) record_member(thread);
}

void observe_join(const Thread* master) {
  int32_t place = placement_of(master).place;
  if (place >= 0 && has_worker_to_itself(master->team)) bind_worker_to(master->worker, place, true);
}

}  // namespace tulle::omp
