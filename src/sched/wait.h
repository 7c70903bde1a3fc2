// SPDX-License-Identifier: Apache-2.0
// Waiting: the one way to do it. A wait ends when done() is true; until then it runs what the specification
// allows on top of the waiter (may_run: true if it ran something), polls for a moment while this worker has
// nothing else to run, and then suspends the ULT, so that the worker goes on with others. The worker's loop
// decides when that sleeps.
//
// How the waiter is told is the teller's business, of which there are three: a WaitList (all waiters are
// woken, and look again), an Event (once, for one waiter) and an Address (wake_one, wake_all). A teller's
// add(ult, done) runs when the waiter's context is saved; false: there is nothing to wait for any more.
#pragma once

#include <type_traits>

#include "sched/poll.h"
#include "sched/suspend.h"
#include "sched/wait_list.h"

namespace tulle::sched {

namespace detail {

template <class Teller, class Done>
struct Waiter {
  Teller& teller;
  Done& done;

  // The waiter's frames stay until this returns: nobody resumes a ULT that has not departed.
  static bool add(void* argument, Ult* ult) {
    auto* waiter = static_cast<Waiter*>(argument);
    return waiter->teller.add(ult, waiter->done);
  }
};

void nap();

}  // namespace detail

// Suspends once, without polling, until the teller is told, unless done() is true then.
template <class Teller, class Done>
TULLE_MAY_SUSPEND void suspend_once(Teller&& teller, Done done) {
  detail::Waiter<std::remove_reference_t<Teller>, Done> waiter{teller, done};
  suspend({&waiter.add, &waiter, teller.kDefers, teller.wakes()});
}

template <class Teller, class Done, class MayRun>
TULLE_MAY_SUSPEND void wait(Teller&& teller, Done done, MayRun may_run) {
  while (!done()) {
    if (may_run()) continue;
    if (poll(done)) return;
    if constexpr (std::is_same_v<std::remove_cvref_t<Teller>, Rare>)
      if (poll_patiently(done, done, 0, durations::kPollOn)) return;
    suspend_once(teller, done);
  }
}

template <class Teller, class Done>
TULLE_MAY_SUSPEND void wait(Teller&& teller, Done done) {
  wait(teller, done, [] { return false; });
}

// For a waiter that must not take another stack, or that nobody would wake: may return before done() is true.
template <class Done>
void wait_a_moment(Done done) {
  if (!poll(done)) detail::nap();
}

}  // namespace tulle::sched
