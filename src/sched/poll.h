// SPDX-License-Identifier: Apache-2.0
// The first step of each wait: poll, while this worker has nothing else to run. Short: a longer
// poll is the business of the worker's loop, after the ULT was suspended.
#pragma once

#include "arch/cpu.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/settings.h"
#include "sched/suspend.h"
#include "sched/worker.h"

namespace tulle::sched {

template <class Done>
bool poll_slow(Worker* worker, Done done) {
  uint64_t limit = settings().spin_ns;
  if (limit == 0) return false;
  if (limit > durations::kPoll) limit = durations::kPoll;
  uint64_t start = os::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      if (something_waits(worker)) return false;
      arch::pause();
    }
  } while (os::now() - start < limit);
  return false;
}

template <class Done>
bool poll(Done done) {
  for (int i = 0; i < durations::kEagerRounds; ++i)
    if (done()) return true;
  Worker* worker = current()->worker;  // no switch happens in here
  for (int i = 0; i < durations::kPollRounds; ++i) {
    if (done()) return true;
    if (something_waits(worker)) return false;
    arch::pause();
  }
  return poll_slow(worker, done);
}

}  // namespace tulle::sched
