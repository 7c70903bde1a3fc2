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
#include "sched/precedence.h"

namespace tulle::sched {

// Returns when word was seen to differ from `expected`, or for no reason. Polls briefly first. With
// `below`, what lies below in the entity waits too (sched/precedence.h).
TULLE_MAY_SUSPEND void wait_while(const std::atomic<uint32_t>& word, uint32_t expected,
                                  LiesBelow below = nullptr);

// Makes waiters of the word ready, in the order in which they came. Never suspends. Any OS thread.
// wake_one goes on until one of them is sure to run: the entity of another one may run something else,
// which may be waiting for the same word below.
void wake_one(const std::atomic<uint32_t>& word);
void wake_all(const std::atomic<uint32_t>& word);

// Polls until done() is true, as long as that is better than to suspend. False: suspend now.
template <class Done>
bool poll(Done done);

}  // namespace tulle::sched

#include "sched/poll.h"
