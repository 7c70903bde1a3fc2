// SPDX-License-Identifier: Apache-2.0
// Doacross loops whose schedule is known. Iterations of the nest are numbered in the order in which
// a thread runs them. A counter says how far its writer came: all iterations below it, of those that
// the counter stands for, are done. Static schedules have one counter for each member; others one for
// each place of a window over the chunks, and a chunk waits until the one that had its place is done:
// a window later, so the oldest chunk never waits, and memory does not grow with the loop. Guided
// schedules are dealt like dynamic ones: to know a counter one must know where chunks begin.
#include <cstdlib>
#include <new>

#include "omp/tool/events.h"
#include "omp/worksharing/doacross.h"
#include "omp/worksharing/work_share_table.h"
#include "os/report.h"
#include "sched/parking.h"

namespace tulle::omp {

namespace {

struct TULLE_PAIR_ALIGNED Counter {
  std::atomic<uint64_t> passed{0};  // W: who runs the chunk; R: waiting threads
  std::atomic<uint32_t> changes{0};
};

constexpr uint32_t kWindowChunksPerThread = 4;

// Stands in the slot's memory, before its counters and the sizes of the dimensions.
struct TULLE_PAIR_ALIGNED Nest {
  uint32_t dims;
  uint32_t window;  // counters

  Counter* counters() { return reinterpret_cast<Counter*>(this + 1); }
  uint64_t* sizes() { return reinterpret_cast<uint64_t*>(counters() + window); }

  // Iterations of the nest before this one. Modulo 2^64: more would not end anyway.
  uint64_t number_of(const uint64_t* trip) {
    uint64_t number = trip[0];
    for (uint32_t i = 1; i < dims; ++i) number = number * sizes()[i] + trip[i];
    return number;
  }

  uint64_t inner() {
    uint64_t product = 1;
    for (uint32_t i = 1; i < dims; ++i) product *= sizes()[i];
    return product;
  }
};

Nest* new_nest(const uint64_t* counts, uint32_t n, uint32_t window) {
  size_t bytes = sizeof(Nest) + window * sizeof(Counter) + n * sizeof(uint64_t);
  bytes = (bytes + kCacheLinePair - 1) & ~(kCacheLinePair - 1);
  void* memory = aligned_alloc(kCacheLinePair, bytes);
  if (memory == nullptr) os::fatal("no memory for a doacross loop");
  Nest* nest = new (memory) Nest{n, window};
  for (uint32_t i = 0; i < window; ++i) new (&nest->counters()[i]) Counter;
  for (uint32_t i = 0; i < n; ++i) nest->sizes()[i] = counts[i];
  return nest;
}

Nest* nest_of(const WorkShare* share) { return static_cast<Nest*>(share->slot.slot->memory); }

uint64_t member_with(const WorkShare* share, uint64_t trip) {
  if (share->deal == Deal::cyclic) return trip / share->chunk % share->nthreads;
  uint64_t size = share->space.trips / share->nthreads;
  uint64_t longer = share->space.trips % share->nthreads, in_longer = longer * (size + 1);
  return trip < in_longer ? trip / (size + 1) : longer + (trip - in_longer) / size;
}

Counter& counter_for(const WorkShare* share, uint64_t trip) {
  Nest* nest = nest_of(share);
  uint64_t i = share->deal == Deal::counter ? trip / share->chunk % nest->window
                                            : member_with(share, trip);
  return nest->counters()[i];
}

TULLE_MAY_SUSPEND void wait_until_passed(Counter& counter, uint64_t number) {
  for (;;) {
    uint32_t seen = counter.changes.load(std::memory_order_acquire);  // pairs with its change
    // Acquire: what the iterations below wrote is seen; pairs with the store in pass.
    if (counter.passed.load(std::memory_order_acquire) >= number) break;
    sched::wait_while(counter.changes, seen);
  }
  ult::happens_after(&counter);
}

void pass(Counter& counter, uint64_t number) {
  if (counter.passed.load(std::memory_order_relaxed) >= number) return;  // relaxed: only we write
  ult::happens_before(&counter);
  counter.passed.store(number, std::memory_order_release);
  change_only_writer(counter.changes);
}

}  // namespace

void enter_window(WorkShare* share) {
  if (share->deal != Deal::counter) return;
  uint64_t before = nest_of(share)->window * share->chunk;  // trips in the window
  if (share->chunk_begin < before) return;
  uint64_t done = share->chunk_begin - before + share->chunk;
  wait_until_passed(counter_for(share, share->chunk_begin), done * nest_of(share)->inner());
}

void finish_window(WorkShare* share) {
  pass(counter_for(share, share->chunk_begin), share->chunk_end * nest_of(share)->inner());
}

void doacross_loop_begin(Thread* thread, const uint64_t* counts, uint32_t n,
                         const Schedule& schedule) {
  LoopRequest request{{0, 1, counts[0], counts[0]}, schedule};
  if (schedule.kind == ScheduleKind::guided) request.schedule.kind = ScheduleKind::dynamic;
  request.one_by_one = true;
  WorkShare* share = record_of(thread);
  if (tool::active()) tool::of(thread->task()).dimensions = n;
  begin_loop(thread, share, request);
  if (share->nthreads == 1) return;
  share->doacross = share->linked = true;
  if (!enter_slot(thread, share, share->slot)) return;
  uint32_t window = share->nthreads;
  if (share->deal == Deal::counter) window *= kWindowChunksPerThread;
  share->slot.slot->memory = new_nest(counts, n, window);
  share->slot.slot->next.store(0, std::memory_order_relaxed);  // published by open_slot
  open_slot(share->slot);
}

void doacross_loop_post(Thread* thread, const uint64_t* trip) {
  WorkShare* share = thread->work_share;
  if (tool::active()) tool::tell_doacross(thread, tool::kSourceDependence, trip, doacross_loop_dimensions(thread));
  if (share == nullptr || !share->doacross) return;
  pass(counter_for(share, share->chunk_begin), nest_of(share)->number_of(trip) + 1);
}

void doacross_loop_wait(Thread* thread, const uint64_t* trip) {
  WorkShare* share = thread->work_share;
  if (share == nullptr || trip[0] >= share->space.trips) return;
  if (share->doacross) wait_until_passed(counter_for(share, trip[0]), nest_of(share)->number_of(trip) + 1);
  if (tool::active()) tool::tell_doacross(self(), tool::kSinkDependence, trip, doacross_loop_dimensions(self()));
}

uint32_t doacross_loop_dimensions(Thread* thread) {
  if (tool::active()) return tool::of(thread->task()).dimensions;
  WorkShare* share = thread->work_share;
  return share == nullptr || !share->doacross ? 0 : nest_of(share)->dims;
}

}  // namespace tulle::omp
