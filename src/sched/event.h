// SPDX-License-Identifier: Apache-2.0
// An event that happens once, for one waiter, in memory that the waiter frees as soon as it has
// seen it: signal() touches the event last by the exchange that the waiter sees.
// Ordering: signal's exchange (release) pairs with happened() and wait() (acquire).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/scheduler.h"

namespace tulle::sched {

class Event {
 public:
  bool happened() const { return word_.load(std::memory_order_acquire) == kHappened; }

  // Any OS thread, once.
  void signal() {
    uintptr_t waiter = word_.exchange(kHappened, std::memory_order_acq_rel);
    if (waiter != 0) make_ready(reinterpret_cast<ult::Ult*>(waiter));
  }

  // One waiter.
  TULLE_MAY_SUSPEND void wait(Precedence* precedence = nullptr) {
    if (!happened()) suspend(&enlist, this, precedence);
  }
  // The same for one that others of its entity may pass, and that passes them (sched/precedence.h).
  TULLE_MAY_SUSPEND void wait_aside() {
    if (!happened()) suspend(&enlist_aside, this);
  }

 private:
  static constexpr uintptr_t kHappened = 1;

  static bool enlist(void* event, ult::Ult* ult) {
    uintptr_t expected = 0;
    return static_cast<Event*>(event)->word_.compare_exchange_strong(
        expected, reinterpret_cast<uintptr_t>(ult), std::memory_order_acq_rel,
        std::memory_order_acquire);
  }

  static bool enlist_aside(void* event, ult::Ult* ult) {
    ult->yields = true;
    return enlist(event, ult);
  }

  std::atomic<uintptr_t> word_{0};
};

}  // namespace tulle::sched
