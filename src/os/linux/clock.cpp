// SPDX-License-Identifier: Apache-2.0
#include "os/clock.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/system_call.h"

namespace tulle::os {

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

}  // namespace tulle::os
