// SPDX-License-Identifier: Apache-2.0
// Time and the scheduler of the operating system.
#pragma once

#include <cstdint>

namespace tulle::os {

// Monotonic time in nanoseconds.
uint64_t now();

// Lets another runnable OS thread have the core. True when one did: the call took longer than a
// round trip into the kernel can.
bool yield_core();

void sleep_for(uint64_t nanoseconds);

// By how much the kernel may be late when it ends a sleep of the calling OS thread, for the sake of saved wake-ups:
// 50 us where nobody has asked for less. The result is what it was.
uint64_t exchange_timer_slack(uint64_t nanoseconds);

}  // namespace tulle::os
