// SPDX-License-Identifier: Apache-2.0
// ULTs that wait for one condition (sched/wait.h): anyone adds itself, anyone wakes all. Wake-ups may be
// spurious. Lock-free (a list that is only ever taken whole).
//
// Ordering: add() adds the ULT, passes a full fence, then looks at the condition; a waker makes the
// condition true, passes a full fence (or, if the waiter is Rare, a light one against the waiter's
// heavy fence), then looks at the list. One of the two sees the other. Both of them change something by an atomic
// operation where it serves as the fence (arch::fence_after_atomic).
#pragma once

#include <atomic>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "os/fence.h"
#include "sched/ready.h"

namespace tulle::sched {

class WaitList {
 public:
  static constexpr bool kDefers = true;

  bool empty() const { return head_.load(std::memory_order_relaxed) == nullptr; }

  // Makes all ready. The caller made the condition true before. Any OS thread.
  void wake_all() {
    Ult* list = head_.exchange(nullptr, std::memory_order_acq_rel);  // pairs with push
    while (list != nullptr) {
      Ult* next = list->next;
      make_ready(list);
      list = next;
    }
  }

  template <class Done>
  bool add(Ult* ult, Done& done) {
    push(ult);
    arch::fence_after_atomic();
    if (done()) wake_all();
    return true;
  }
  static const std::atomic<uint32_t>* wakes() { return nullptr; }

  void push(Ult* ult) {
    Ult* seen = head_.load(std::memory_order_relaxed);
    do {
      ult->next = seen;
    } while (!head_.compare_exchange_weak(seen, ult, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
  }

 private:
  std::atomic<Ult*> head_{nullptr};
};

// For who waits seldom: wakers pass only a hot fence between the condition and the look at the list.
struct Rare {
  WaitList& list;
  static constexpr bool kDefers = true;

  template <class Done>
  bool add(Ult* ult, Done& done) {
    list.push(ult);
    os::heavy_fence();
    if (done()) list.wake_all();
    return true;
  }
  static const std::atomic<uint32_t>* wakes() { return nullptr; }
};

// For who only lets others go first.
struct Turn {
  WaitList& list;
  static constexpr bool kDefers = false;

  template <class Done>
  bool add(Ult* ult, Done& done) {
    ult->yields = true;
    return list.add(ult, done);
  }
  static const std::atomic<uint32_t>* wakes() { return nullptr; }
};

}  // namespace tulle::sched
