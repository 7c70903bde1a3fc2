// SPDX-License-Identifier: Apache-2.0
// Time and the scheduler of the operating system.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "arch/cpu.h"

namespace tulle::os {

// Monotonic time in nanoseconds.
uint64_t now();

// Lets another runnable OS thread have the core. True when one did: the call took longer than a
// round trip into the kernel can.
bool yield_core();

void sleep_for(uint64_t nanoseconds);

// How many of arch::pause() last so long, at least one: from one processor to another a pause takes 10 to 150 ns.
inline std::atomic<uint32_t> pauses_in_1024_ns{1024 / 20};  // W: measure_pauses; relaxed: a setting
inline uint32_t pauses_in(uint64_t nanoseconds) {
  uint64_t count = nanoseconds * pauses_in_1024_ns.load(std::memory_order_relaxed) / 1024;
  return count == 0 ? 1 : static_cast<uint32_t>(count);
}

inline void pause_for(uint64_t nanoseconds) {
  for (uint32_t pauses = pauses_in(nanoseconds); pauses != 0; --pauses) arch::pause();
}

// Measures them, in some microseconds; until then one is taken for 20 ns. The shortest of a few tries, for others may have the
// core in between; within bounds that no processor leaves, for whoever follows the program by single steps.
inline void measure_pauses() {
  constexpr uint64_t kPauses = 32, kShortest = 1, kLongest = 150;
  uint64_t shortest = kLongest * kPauses;
  for (int i = 0; i < 4; ++i) {
    const uint64_t begun = now();
    for (uint64_t pause = 0; pause < kPauses; ++pause) arch::pause();
    shortest = std::min(shortest, now() - begun);
  }
  const uint64_t in_1024 = 1024 * kPauses / std::max(shortest, kShortest * kPauses);
  pauses_in_1024_ns.store(static_cast<uint32_t>(in_1024), std::memory_order_relaxed);
}

// By how much the kernel may be late when it ends a sleep of the calling OS thread, for the sake of saved wake-ups:
// 50 us where nobody has asked for less. The result is what it was.
uint64_t exchange_timer_slack(uint64_t nanoseconds);

}  // namespace tulle::os
