// SPDX-License-Identifier: Apache-2.0
// How long whoever waits for a device, or for work of one, polls before it sleeps. Where others want the cores, each look
// at that takes as long as their turns, milliseconds, and a wake-up some microseconds: then the next waits are without it.
#pragma once

#include <algorithm>

#include "arch/cpu.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/poll.h"
#include "sched/settings.h"

namespace tulle::offload {

// Relaxed in all: hints.
bool may_give_core();
// It was given away, and others had it or not.
void note_core(bool others_had_it);

// A device's OS thread for work: as long as workers do, unless somebody else wants the core.
template <class Come>
bool poll_for_work(Come has_come) {
  const bool gives = may_give_core();
  const uint64_t limit = gives ? sched::settings().spin_ns : std::min(sched::settings().spin_ns, sched::durations::kYieldEvery);
  const uint64_t begin = os::now();
  for (uint64_t now = begin, yielded = begin; limit == sched::kEndless || now - begin < limit; now = os::now()) {
    for (int i = 0; i < 64; ++i) {
      if (has_come()) return true;
      arch::pause();
    }
    if (!gives || now - yielded < sched::durations::kYieldEvery) continue;
    const bool others_had_it = os::yield_core();
    note_core(others_had_it);
    if (others_had_it) return false;
    yielded = now;
  }
  return false;
}

// A thread for the end of its region: longer than for team mates, for whoever wakes a waiter has the monitor watch, which
// takes cores from regions. Who has the device's core itself lets it go first.
template <class Done>
bool poll_for_end(Done has_ended) {
  if (sched::poll(has_ended)) return true;
  if (!may_give_core()) return false;
  const uint64_t begin = os::now();
  const bool ended = sched::poll_patiently(has_ended, has_ended, 0, sched::durations::kPollOn);
  if (os::now() - begin > sched::durations::kOthersTurn) note_core(true);
  return ended;
}

}  // namespace tulle::offload
