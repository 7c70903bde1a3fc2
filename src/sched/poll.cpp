// SPDX-License-Identifier: Apache-2.0
#include "sched/poll.h"

#include <algorithm>

#include "sched/blocking.h"
#include "sched/poller.h"
#include "sched/victims.h"

namespace tulle::sched {

namespace {

bool something_elsewhere(const Worker* w) {
  return w->kind != WorkerKind::foreign ? something_to_steal(w) : steals_for_region(w) && some_entity_to_steal(w);
}

}  // namespace

Patience::Patience() : yielded_(os::now()), end_(yielded_ + std::min(settings().spin_ns, durations::kPollOn)) {}

bool Patience::lasts(const Worker* w) {
  if (something_awaited() || something_elsewhere(w)) return false;
  uint64_t time = os::now();
  if (time >= end_) return false;
  if (time - yielded_ < durations::kYieldEvery) return true;
  if (os::yield_core()) return false;
  yielded_ = os::now();
  return true;
}

}  // namespace tulle::sched
