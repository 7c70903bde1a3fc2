// SPDX-License-Identifier: Apache-2.0
// ULTs that wait for one condition: anyone adds itself, anyone wakes all. Wake-ups may be spurious,
// so a waiter looks at its condition again. Lock-free (a list that is only ever taken whole).
//
// Ordering: wait() adds the ULT (a full fence), then looks at the condition; a waker makes the
// condition true, passes a full fence (or, if the waiter is `rare`, a light one against the waiter's
// heavy fence), then looks at the list. One of the two sees the other.
#pragma once

#include <atomic>

#include "base/cacheline.h"
#include "os/fence.h"
#include "sched/scheduler.h"

namespace tulle::sched {

class WaitList {
 public:
  bool empty() const { return head_.load(std::memory_order_relaxed) == nullptr; }

  // Makes all ready. The caller made the condition true before. Any OS thread.
  void wake_all() {
    ult::Ult* list = head_.exchange(nullptr, std::memory_order_acq_rel);  // pairs with add
    while (list != nullptr) {
      ult::Ult* next = list->next;
      make_ready(list);
      list = next;
    }
  }

  // Suspends until woken, unless done() is true once the ULT stands in the list. `kRare`: wakers
  // pass only a hot fence between the condition and the look at the list.
  template <bool kRare, class Done>
  TULLE_MAY_SUSPEND void wait(Done done, Precedence* precedence = nullptr) {
    Wait<Done> wait{this, &done};
    suspend(&enlist<kRare, Done>, &wait, precedence);
  }

  // The same for who only lets others go first (sched/precedence.h).
  template <class Done>
  TULLE_MAY_SUSPEND void wait_turn(Done done) {
    Wait<Done> wait{this, &done};
    suspend(&enlist_yielding<Done>, &wait);
  }

 private:
  template <class Done>
  struct Wait {
    WaitList* list;
    Done* done;
  };

  template <bool kRare, class Done>
  static bool enlist(void* argument, ult::Ult* ult) {
    // The waiter's frame stays until this returns: nobody resumes a ULT that has not departed.
    auto* wait = static_cast<Wait<Done>*>(argument);
    WaitList* list = wait->list;
    ult::Ult* seen = list->head_.load(std::memory_order_relaxed);
    do {
      ult->next = seen;
    } while (!list->head_.compare_exchange_weak(seen, ult, std::memory_order_seq_cst,
                                                std::memory_order_relaxed));
    if constexpr (kRare) os::heavy_fence();
    if ((*wait->done)()) list->wake_all();
    return true;
  }

  template <class Done>
  static bool enlist_yielding(void* argument, ult::Ult* ult) {
    ult->yields = true;
    return enlist<false, Done>(argument, ult);
  }

  std::atomic<ult::Ult*> head_{nullptr};
};

}  // namespace tulle::sched
