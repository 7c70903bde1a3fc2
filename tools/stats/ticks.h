// SPDX-License-Identifier: Apache-2.0
// The processor's counter of time, which costs less than the system's clock, and what a tick of it is worth.
#pragma once

#include <cstdint>
#include <ctime>

namespace tulle::stats {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
}

// Roughly: what is shorter than that nobody sees.
#if defined(__x86_64__)
inline constexpr uint64_t kMoment = 4096;
#else
inline constexpr uint64_t kMoment = 64;
#endif

inline double clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// A moment by both clocks; two of them say what a tick is worth.
struct Moment {
  uint64_t at = ticks();
  double ns = clock_ns(CLOCK_MONOTONIC);

  double ns_per_tick_until(const Moment& end) const {
    return end.at == at ? 0 : (end.ns - ns) / static_cast<double>(end.at - at);
  }
};

}  // namespace tulle::stats
