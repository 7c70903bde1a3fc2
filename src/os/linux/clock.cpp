// SPDX-License-Identifier: Apache-2.0
#include "os/clock.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>

#include "arch/cpu.h"
#include "arch/system_call.h"

namespace tulle::os {

std::atomic<uint32_t> pauses_in_1024_ns{1024 / 20};

uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

bool yield_core() {
  constexpr uint64_t kSomebodyRan = 20000;  // ns; a yield to nobody takes well under 2,000
  uint64_t before = now();
  arch::system_call(SYS_sched_yield);
  return now() - before > kSomebodyRan;
}

uint64_t exchange_timer_slack(uint64_t nanoseconds) {
  long before = arch::system_call(SYS_prctl, PR_GET_TIMERSLACK);
  arch::system_call(SYS_prctl, PR_SET_TIMERSLACK, static_cast<long>(nanoseconds));
  return before > 0 ? static_cast<uint64_t>(before) : 0;
}

void sleep_for(uint64_t nanoseconds) {
  timespec t;
  t.tv_sec = static_cast<time_t>(nanoseconds / 1000000000u);
  t.tv_nsec = static_cast<long>(nanoseconds % 1000000000u);
  arch::system_call(SYS_nanosleep, reinterpret_cast<long>(&t));
}

// The shortest of a few tries, for others may have the core in between; within bounds that no processor leaves, for whoever
// follows the program by single steps.
void measure_pauses() {
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

}  // namespace tulle::os
