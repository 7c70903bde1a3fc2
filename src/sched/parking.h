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
  bool enlist_while(Ult* ult, uint32_t bits);
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

// Where the word has one of the bits, under the lock of the table: so nobody who wakes comes between.
template <class Base>
struct WhileSet : Base {
  uint32_t bits;

  template <class Done>
  bool add(Ult* waiter, Done&) {
    waiter->yields = !Base::kDefers;
    return this->enlist_while(waiter, bits);
  }
};

// Returns when word was seen to differ from `expected`.
TULLE_MAY_SUSPEND void wait_while(const std::atomic<uint32_t>& word, uint32_t expected);
TULLE_MAY_SUSPEND void wait_aside_while(const std::atomic<uint32_t>& word, uint32_t expected);

// Suspends once, without polling, where the word has one of the bits. True: somebody woke the caller.
TULLE_MAY_SUSPEND bool suspend_while_set(const std::atomic<uint32_t>& word, uint32_t bits);
TULLE_MAY_SUSPEND bool suspend_aside_while_set(const std::atomic<uint32_t>& word, uint32_t bits);

// A hint for whoever has just changed the word: somebody may stand in the table for it. A full fence.
bool somebody_waits_for(const std::atomic<uint32_t>& word);

// Makes waiters of the word ready, in the order in which they came. Never suspends. Any OS thread.
// wake_one goes on until one of them is sure to run: the entity of another one may run something else,
// which may be waiting for the same word below.
void wake_one(const std::atomic<uint32_t>& word);
// Where nobody is sure to run the bits are taken from the word, under the lock of the table.
void wake_one_or_clear(std::atomic<uint32_t>& word, uint32_t bits);
void wake_all(const std::atomic<uint32_t>& word);

void reset_parking_after_fork();

}  // namespace tulle::sched
