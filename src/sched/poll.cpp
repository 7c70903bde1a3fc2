// SPDX-License-Identifier: Apache-2.0
#include "sched/poll.h"

#include <algorithm>

#include "sched/poller.h"
#include "sched/victims.h"

namespace tulle::sched {

std::atomic<uint32_t> workers_wanted{0};

Patience::Patience() : yielded_(os::now()), end_(yielded_ + std::min(settings().spin_ns, durations::kPollOn)) {}

bool Patience::lasts(const Worker* w) {
  if (something_awaited() || something_for(w)) return false;
  uint64_t time = os::now();
  if (time >= end_) return false;
  if (time - yielded_ < durations::kYieldEvery) return true;
  if (os::yield_core()) return false;
  yielded_ = os::now();
  return true;
}

}  // namespace tulle::sched
