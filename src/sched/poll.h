// SPDX-License-Identifier: Apache-2.0
// The first step of each wait: poll, while this worker has nothing else to run. Short: a longer
// poll is the business of the worker's loop, after the ULT was suspended, unless it is dear to suspend.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/give_way.h"
#include "sched/poller.h"
#include "sched/settings.h"
#include "sched/suspend.h"
#include "sched/worker.h"

namespace tulle::sched {

// Members that must run at the same time wait for workers (omp/region/spinning.h). Relaxed, as all of it: a hint.
extern TULLE_NEAR std::atomic<uint32_t> workers_wanted;

// Nonzero: others have had the cores of those who wait for devices (offload/patience.h), which sleep sooner then. The same.
extern TULLE_NEAR std::atomic<uint32_t> crowded;

inline bool is_wanted(Worker* worker) {
  return something_waits(worker) || workers_wanted.load(std::memory_order_relaxed) != 0;
}

template <class Done>
bool poll_slow(Worker* worker, Done done) {
  uint64_t limit = settings().spin_ns;
  if (limit == 0) return false;
  if (limit > durations::kPoll) limit = durations::kPoll;
  uint64_t start = os::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      if (is_wanted(worker)) return false;
      arch::pause();
    }
  } while (os::now() - start < limit);
  return false;
}

template <class Done>
bool look_eagerly(Done done) {
  for (int i = 0; i < durations::kEagerRounds; ++i)
    if (done()) return true;
  return false;
}

template <class Done>
bool poll(Done done) {
  if (look_eagerly(done)) return true;
  Worker* worker = current()->worker;  // no switch happens in here
  for (uint32_t i = os::pauses_in(durations::kPollBriefly); i != 0; --i) {
    if (done()) return true;
    if (something_waits(worker)) return false;
    arch::pause();
  }
  return poll_slow(worker, done);
}

// After poll(), for a waiter whose worker is for it alone, or that is dear to suspend: polls as long as the worker's loop
// would without work, `most` nanoseconds at most, and gives way to the same (sched/idle.cpp). `seldom` is another look,
// which costs more. What has not begun is left for so long to the workers that it is meant for.
template <class Done, class Seldom>
TULLE_NOINLINE bool poll_patiently(Done done, Seldom seldom, uint64_t grace, uint64_t most = kEndless) {
  const uint64_t spin = settings().spin_ns;
  const bool endless = spin == kEndless;
  const uint64_t limit = std::min(endless ? durations::kEndlessInFact : spin, most);
  Worker* worker = current()->worker;  // no switch happens in here
  const Worker* in_need = nullptr;
  const uint64_t start = os::now();
  for (uint64_t time = start, yielded = start; time - start < limit; time = os::now()) {
    const bool waits = time - start < grace ? worker->queue.has_entities() : is_wanted(worker);
    if (waits) return false;
    if (time - yielded >= durations::kYieldEvery) {
      // What others have just been given they take by themselves.
      const Worker* now_in_need = time - start < grace ? nullptr : waits_for_help(worker);
      if (now_in_need != nullptr && now_in_need == in_need) return false;
      in_need = now_in_need;
      if (something_awaited() || is_overdue(worker) || (os::yield_core() && !endless)) return false;
      if (seldom()) return true;
      yielded = os::now();
    }
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      arch::pause();
    }
  }
  return false;
}

}  // namespace tulle::sched
