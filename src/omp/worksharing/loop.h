// SPDX-License-Identifier: Apache-2.0
// Work-sharing loops (OpenMP 5.2 §11.5) of any integer type: a loop is a number of trips and an
// affine map from trips to values, both modulo 2^64, so no bounds overflow. The calling thread only.
//
//   loop_begin(thread, {space, schedule, ordered});
//   while (loop_next(thread, chunk)) run(chunk);
//   loop_end(thread);            // no barrier: that is the caller's
//
// sections is a loop over section numbers.
#pragma once

#include <cstdint>
#include <type_traits>

#include "omp/icv/icv.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

struct LoopSpace {
  uint64_t first = 0;  // value of trip 0
  uint64_t step = 1;   // two's complement
  uint64_t trips = 0;
  uint64_t limit = 0;  // exclusive end as the program gave it: that of the last chunk
  uint64_t unit = step;  // from value to value, of which a trip stands for several in blocks

  // The same values, `length` of them a trip but for the last trip's: chunks begin and end with blocks.
  LoopSpace in_blocks(uint64_t length) const {
    return {first, step * length, trips == 0 ? 0 : (trips - 1) / length + 1, limit, unit};
  }

  // Before this trip.
  uint64_t iterations_until(uint64_t trip) const {
    if (step == unit) return trip;
    const auto length = static_cast<uint64_t>(static_cast<int64_t>(step) / static_cast<int64_t>(unit));
    const auto all = static_cast<uint64_t>(static_cast<int64_t>(limit - first) / static_cast<int64_t>(unit));
    return trip * length < all ? trip * length : all;
  }

  uint64_t value(uint64_t trip) const { return first + trip * step; }
  uint64_t end_of(uint64_t trip) const { return trip == trips ? limit : value(trip); }
};

namespace detail {

inline LoopSpace space_of(uint64_t first, uint64_t step, uint64_t limit, uint64_t distance,
                          uint64_t stride) {
  return {first, step, distance == 0 ? 0 : (distance - 1) / stride + 1, limit};
}

}  // namespace detail

// Bounds as GCC gives them: the end is exclusive. T is the type of the bounds (int64_t, uint64_t).
template <class T>
LoopSpace space_until(T start, T end, T step, bool up) {
  uint64_t a = static_cast<uint64_t>(start), b = static_cast<uint64_t>(end);
  uint64_t s = static_cast<uint64_t>(step);
  if (up) return detail::space_of(a, s, b, start < end ? b - a : 0, s);
  return detail::space_of(a, s, b, start > end ? a - b : 0, -s);
}

// Signed bounds with a step of either sign.
inline LoopSpace space_until(int64_t start, int64_t end, int64_t step) {
  return space_until<int64_t>(start, end, step, step > 0);
}

// Bounds as Clang gives them: the upper is inclusive. T: int32_t, uint32_t, int64_t, uint64_t.
template <class T>
LoopSpace space_through(T lower, T upper, std::make_signed_t<T> step) {
  uint64_t s = static_cast<uint64_t>(static_cast<int64_t>(step));
  uint64_t a = static_cast<uint64_t>(lower), b = static_cast<uint64_t>(upper);
  LoopSpace space{a, s, 0, 0};
  if (step > 0 ? lower <= upper : lower >= upper) {
    uint64_t steps = step > 0 ? (b - a) / s : (a - b) / -s;
    space.trips = steps == UINT64_MAX ? steps : steps + 1;  // 2^64 trips would not end anyway
  }
  space.limit = space.value(space.trips);
  return space;
}

struct Schedule {
  ScheduleKind kind = ScheduleKind::fixed;
  bool monotonic = false;
  uint64_t chunk = 0;  // 0: not given
};

// The value of run-sched-var, or `standard` if nobody chose; `monotonic` if the loop's own modifier says so.
Schedule runtime_schedule(Thread* thread, bool monotonic, Schedule standard);

struct LoopRequest {
  LoopSpace space;
  Schedule schedule;
  bool ordered = false;               // has ordered regions (ordered.h)
  uint64_t longest_alone = UINT64_MAX;  // chunks of a team of one are not longer
  bool one_by_one = false;  // dynamic: each chunk goes to the next thread that asks
  bool of_sections = false;
};

// A contiguous part of the loop; values are the low bits of these for narrower types.
struct LoopChunk {
  uint64_t first;  // value of its first trip
  uint64_t end;    // exclusive end
  uint64_t unit;   // from value to value; its last value is end - unit where bounds are inclusive
  bool last;       // holds the loop's last trip
};

// Begins a loop; all threads of the team call it with the same request. May suspend where a slot of
// the ring is needed (ordered or monotonic).
TULLE_MAY_SUSPEND void loop_begin(Thread* thread, const LoopRequest& request);
// The next chunk, or false: nothing is left for this thread. In a region whose loop was prepared
// the first call also begins the loop. Suspends only in ordered and monotonic loops.
TULLE_MAY_SUSPEND bool loop_next(Thread* thread, LoopChunk& chunk);
// Ends what loop_begin, doacross_loop_begin and share_begin began. No effect if nothing is begun.
void loop_end(Thread* thread);

// From fork()'s `before`: the region's threads call loop_next or sections_next without a begin.
void loop_prepare(Thread* primary, const LoopRequest& request);

// The sections 1 to count, for each thread in rising order. sections_next gives 0 when nothing is left.
TULLE_MAY_SUSPEND void sections_begin(Thread* thread, uint32_t count);
TULLE_MAY_SUSPEND uint32_t sections_next(Thread* thread);
void sections_prepare(Thread* primary, uint32_t count);

}  // namespace tulle::omp
