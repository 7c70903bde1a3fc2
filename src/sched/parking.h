// SPDX-License-Identifier: Apache-2.0
// Waiting by address, for ULTs what a futex is for OS threads: locks, critical sections, ordered,
// doacross, single and work-share slots all wait here. Waiters stand in a table keyed by address,
// so a word needs no room for them. The current OS thread must be attached (omp::self_or_attach).
//
// Ordering: the waiter counts itself, then reads the word, both under the bucket's lock; the waker
// changes the word, passes a full fence, then reads the count. One of the two sees the other.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/wait.h"

namespace tulle::sched {

// How whoever waits for the word to differ from `expected` is told (sched/wait.h). Lies in the frame of the
// waiter until it goes on.
struct Address {
  const std::atomic<uint32_t>& word;
  uint32_t expected;
  Ult* ult = nullptr;
  Address* next = nullptr;
  static constexpr bool kDefers = true;

  bool enlist(Ult* ult);
  template <class Done>
  bool add(Ult* waiter, Done&) {
    return enlist(waiter);
  }
  const std::atomic<uint32_t>* wakes() const;
};

// For a waiter that others of its entity may pass, and that passes them (sched/entity.h).
struct AddressAside : Address {
  static constexpr bool kDefers = false;

  template <class Done>
  bool add(Ult* waiter, Done&) {
    waiter->yields = true;
    return enlist(waiter);
  }
};

// Returns when word was seen to differ from `expected`.
TULLE_MAY_SUSPEND void wait_while(const std::atomic<uint32_t>& word, uint32_t expected);
TULLE_MAY_SUSPEND void wait_aside_while(const std::atomic<uint32_t>& word, uint32_t expected);

// Makes waiters of the word ready, in the order in which they came. Never suspends. Any OS thread.
// wake_one goes on until one of them is sure to run: the entity of another one may run something else,
// which may be waiting for the same word below.
void wake_one(const std::atomic<uint32_t>& word);
void wake_all(const std::atomic<uint32_t>& word);

void reset_parking_after_fork();

}  // namespace tulle::sched
