// SPDX-License-Identifier: Apache-2.0
// What the scheduler schedules: an entity runs at one place at a time, and may own several
// suspended ULTs (an OpenMP thread: its implicit task and tied tasks that wait). Its mailbox takes
// ULTs that became ready; whoever turns it from unscheduled to scheduled puts it in a runqueue.
//
// Mailbox word: pointer to a list of ready ULTs, bit 0 = scheduled (running, or in one runqueue).
// Ordering: make_ready's exchange (release) pairs with take_ready's (acquire): the resumer sees
// what the waker wrote. retire's exchange (release) pairs with make_ready's (acquire): whoever
// schedules the entity next sees the suspended ULT's whole context.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/current.h"
#include "base/cacheline.h"
#include "ult/ult.h"

namespace tulle::sched {

struct Precedence;
struct Worker;

struct Entity {
  Worker* worker = nullptr;  // W: whoever calls or resumes it; R: itself, others as a hint
  Worker* anchor = nullptr;  // W: whoever calls it; its frames lie on this foreign thread's stack
  uintptr_t tls = 0;         // base of its own TLS block; 0: runs under its worker's
  void** kept = nullptr;     // a word of its owner that is saved and restored with each ULT
  ult::Ult::Divert divert = nullptr;  // for ULTs that suspend now: where they go when ready
  std::atomic<uintptr_t> mailbox{0};
  ult::Ult* ready = nullptr;  // W: the holder of the scheduled bit
  Entity* next_in_queue = nullptr;
  Precedence* precedence = nullptr;  // of its ULTs that have one; W: the holder, the last one first

  static constexpr uintptr_t kScheduled = 1;

  // The caller becomes the one place where the entity runs, by a plain call.
  void begin_call() { mailbox.store(kScheduled, std::memory_order_relaxed); }  // nobody else knows it

  // Any thread: becomes the holder of an entity of which nothing runs and nothing is ready.
  bool try_acquire() {
    uintptr_t expected = 0;
    return mailbox.compare_exchange_strong(expected, kScheduled, std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }

  // Holder only, a hint: ULTs of the entity became ready.
  bool has_ready() const {
    return ready != nullptr || mailbox.load(std::memory_order_relaxed) != kScheduled;
  }

  // Holder of the scheduled bit only: the next ready ULT that may go on (sched/precedence.h), left where
  // it is; null if none.
  ult::Ult* peek_ready();
  ult::Ult* take_ready();

  // Holder only, nothing of the entity runs any more: gives the scheduled bit back. False when a
  // ULT became ready meanwhile: the caller stays holder and must see that the entity runs on.
  bool retire();

 private:
  // Holder only: what became ready since is in `ready`, oldest first. False: nothing did.
  bool take_mailbox();
};

// The entity that runs on the calling OS thread; null where the runtime was never entered.
inline Entity* current() { return static_cast<Entity*>(arch::current_pointer()); }
inline void set_current(Entity* entity) { arch::set_current_pointer(entity); }

}  // namespace tulle::sched
