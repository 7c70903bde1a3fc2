// SPDX-License-Identifier: Apache-2.0
// Since when the same waits behind a worker, whatever that decides and runs meanwhile: who polls for what others
// will do, by regions, tasks or yields of its own, takes one step after another. What has waited for too long is
// overdue: the worker is asked to begin its next looks for work with it, and what it runs gives way at its next
// step.
#pragma once

#include <cstdint>

#include "sched/durations.h"

namespace tulle::sched {

// Owner: the monitor.
class Overdue {
 public:
  // Each tick. `front`: a digest of what has waited longest; 0: nothing does. True: too long.
  bool tick(uint64_t front) {
    if (front == 0) patience_ = durations::kOverdue;
    if (front == 0 || front != front_) {
      front_ = front;
      ticks_ = 0;
      return false;
    }
    if (++ticks_ < patience_) return false;
    patience_ = durations::kOverdueAgain;
    ticks_ = 0;
    return true;
  }

 private:
  uint64_t front_ = 0;
  uint32_t ticks_ = 0;
  uint32_t patience_ = durations::kOverdue;
};

}  // namespace tulle::sched
