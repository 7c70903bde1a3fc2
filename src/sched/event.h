// SPDX-License-Identifier: Apache-2.0
// An event that happens once, for one waiter (sched/wait.h), in memory that the waiter frees as soon as it
// has seen it: signal() touches the event last by the exchange that the waiter sees.
// Ordering: signal's exchange (release) pairs with happened() and add() (acquire).
#pragma once

#include <atomic>
#include <cstdint>

#include "sched/ready.h"


namespace tulle::sched {

class Event {
 public:
  static constexpr bool kDefers = true;

  bool happened() const { return word_.load(std::memory_order_acquire) == kHappened; }

  // Any OS thread, once.
  void signal() {
    uintptr_t waiter = word_.exchange(kHappened, std::memory_order_acq_rel);
    if (waiter != 0) make_ready(reinterpret_cast<Ult*>(waiter));
  }

  // One waiter, which waits for happened().
  template <class Done>
  bool add(Ult* ult, Done&) {
    uintptr_t expected = 0;
    return word_.compare_exchange_strong(expected, reinterpret_cast<uintptr_t>(ult),
                                         std::memory_order_acq_rel, std::memory_order_acquire);
  }
  static const std::atomic<uint32_t>* wakes() { return nullptr; }

 private:
  static constexpr uintptr_t kHappened = 1;

  std::atomic<uintptr_t> word_{0};
};

// For a waiter that others of its entity may pass, and that passes them (sched/entity.h).
struct Aside {
  Event& event;
  static constexpr bool kDefers = false;

  template <class Done>
  bool add(Ult* ult, Done& done) {
    ult->yields = true;
    return event.add(ult, done);
  }
  static const std::atomic<uint32_t>* wakes() { return nullptr; }
};

}  // namespace tulle::sched
