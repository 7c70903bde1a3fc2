// SPDX-License-Identifier: Apache-2.0
// What a worker without work does.
#pragma once

#include "sched/placed.h"
#include "sched/worker.h"

namespace tulle::sched {

// Everything that `w` may look for, once.
struct Work {
  Entity* entity = nullptr;
  Seat* seat = nullptr;
  Bubble* bubble = nullptr;
  PlacedThread* part = nullptr;
  bool end = false;  // of the worker's OS thread
  explicit operator bool() const {
    return entity != nullptr || seat != nullptr || bubble != nullptr || part != nullptr || end;
  }
};
// Near: nothing that others would do as well. Far: what somebody else is looking at may be passed over, as where all workers
// of a large machine look at one runqueue. Everywhere: nothing is passed over.
enum class Reach : uint8_t { near, far, everywhere };
Work look_for_work(Worker* w, Reach reach);

// In the child after fork().
void reset_idle_after_fork();

// Polls, then sleeps, until there is work for w. Ended: what it ran last was a call that came back.
Work wait_for_work(Worker* w, bool ended);

}  // namespace tulle::sched
