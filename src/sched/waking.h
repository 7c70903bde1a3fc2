// SPDX-License-Identifier: Apache-2.0
// Waking the workers for a region whose workers sleep, in groups: its encountering thread wakes a first group, and each
// worker that comes to the region the next one, until there is one for each member, or all are awake. So nobody makes more
// than a few system calls before it begins its member, and many are awake after a few steps.
//
// Ordering: the encountering thread publishes the claims, passes a hot fence and begins the round (release); who takes
// a group from it (acquire) sees the sleepers that the fence made visible. A sleeper that says so later finds
// the claims when it looks once more (sched/idle.cpp).
#pragma once

#include <atomic>
#include <cstdint>

#include "sched/seat.h"
#include "sched/sleepers.h"

namespace tulle::sched {

// The seats that a region is published at. Nobody needs to be woken for the first, its encountering thread's.
struct SeatRange {
  Seat* first;
  uint32_t count;
};

class WakeRound {
 public:
  // By members' numbers, so that one system call does for a group: its workers sleep on one word (sched/sleepers.cpp).
  static constexpr uint32_t kGroup = 16;
  static constexpr uint32_t kOneByOne = 8;  // members; fewer workers than there are in a group have words of their own

  // For so many members: the workers of the seats, and others for what the first seat has beyond. Encountering
  // thread, past the fence.
  void begin(SeatRange seats, uint32_t members) {
    if (TULLE_UNLIKELY(somebody_sleeps())) begin_where_some_sleep(seats, members);
  }

  // Wakes the next group of which somebody sleeps, if there is one. A worker that has come to the region.
  void go_on(SeatRange seats) {
    // Relaxed: a hint; the encountering thread wakes the first group after it has begun the round.
    if (next_.load(std::memory_order_relaxed) < end_.load(std::memory_order_relaxed)) wake_next(seats);
  }

 private:
  void begin_where_some_sleep(SeatRange seats, uint32_t members);
  void begin_in_groups(SeatRange seats, uint32_t end);
  void wake_next(SeatRange seats);

  // W: begin, and any server of the region. Groups up to `end_` from `next_` on are still to be woken.
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> end_{0};
};

}  // namespace tulle::sched
