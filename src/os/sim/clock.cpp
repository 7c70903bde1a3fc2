// SPDX-License-Identifier: Apache-2.0
// Time of the model.
#include "os/clock.h"

#include "arch/simulation.h"

namespace tulle::os {

namespace {

constexpr double kClockCall = 20, kYieldCall = 300;  // ns; without and with a way into the kernel

}  // namespace

uint64_t now() {
  tulle_sim_spend(kClockCall);
  return tulle_sim_now();
}

// Each simulated OS thread has a core to itself.
bool yield_core() {
  tulle_sim_spend(kYieldCall);
  return false;
}

void sleep_for(uint64_t nanoseconds) {
  static const uint32_t never = 0;
  tulle_sim_wait(&never, 0, nanoseconds, UINT32_MAX);
}

uint64_t exchange_timer_slack(uint64_t) { return 0; }

}  // namespace tulle::os
