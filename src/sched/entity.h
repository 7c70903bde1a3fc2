// SPDX-License-Identifier: Apache-2.0
// The objects of the scheduler: an entity (an OpenMP thread) runs at one place at a time, and owns a stack
// of frames (sched/frame.h), several of which may be suspended. Its mailbox takes ULTs that became ready;
// whoever turns it from unscheduled to scheduled holds the entity, and puts it in a runqueue or runs it.
//
// Which of its frames goes on is the decision of pick() alone: in the order in which they became ready, but
// what lies below a frame that waits is deferred until that one goes on. So it is on a stack of calls, where
// the upper frame would end first, and programs rely on it: what is below may spin for what others do once
// the upper one has ended. What only lets others go first is not deferred. Where what is waited for waits
// for what is deferred, the progress clock lets the latter pass (sched/deferral.h).
// Which tasks may begin above is a look at the top of the same stack (omp/task/task_internal.h).
//
// Mailbox word: pointer to a list of ready ULTs, bit 0 = scheduled (running, or in one runqueue).
// Ordering: make_ready's exchange (release) pairs with pick's (acquire): the resumer sees what the waker
// wrote. retire's exchange (release) pairs with make_ready's (acquire): whoever schedules the entity next
// sees the suspended ULT's whole context.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/current.h"
#include "base/cacheline.h"
#include "base/look.h"
#include "sched/deferral.h"
#include "sched/ult.h"

namespace tulle::sched {

struct Bubble;
struct Worker;

struct Entity {
  // In force while it runs (sched/enter.h). W: the holder.
  Worker* worker = nullptr;  // R: others as a hint
  Worker* home = nullptr;    // the foreign worker on whose OS thread's own stack it runs; null: none
  Frame* frame = nullptr;    // the one that runs
  uintptr_t tls = 0;         // base of its own TLS block, for good; 0: runs under its worker's
  const Bubble* bubble = nullptr;  // that it is part of; fixed while a region lasts

  std::atomic<Frame*> innermost{nullptr};  // of its frames; W: the holder; R: others as a hint
  std::atomic<uintptr_t> mailbox{0};
  Ult* ready = nullptr;      // those that may go on, next first; W: the holder, as of the next three
  uint32_t waiting = 0;      // frames that defer what lies below them
  uint32_t deferred = 0;     // frames that are deferred
  Deferral deferral;
  Entity* next_in_queue = nullptr;

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
    return ready != nullptr || deferred != 0 ||
           mailbox.load(std::memory_order_relaxed) != kScheduled;
  }

  // Holder only: the ULT that goes on next, left where it is; null if none may. May take a lock.
  Ult* pick();
  Ult* take_picked();

  // Holder only, nothing of the entity runs any more: gives the scheduled bit back. False when a
  // ULT may go on meanwhile: the caller stays holder and must see that the entity runs on.
  bool retire();

  // Holder only: a frame begins above all others, or ends. Others follow the frames, as a hint: release.
  void push(Frame* begun) {
    set_looked_at(begun->below, innermost.load(std::memory_order_relaxed));
    innermost.store(begun, std::memory_order_release);
  }
  void pop(Frame* ended) {
    if (TULLE_LIKELY(innermost.load(std::memory_order_relaxed) == ended))
      innermost.store(ended->below, std::memory_order_release);
    else
      remove(ended);
  }
  // Holder only: `lowest` is its only frame.
  void reset_frames(Frame* lowest) {
    frame = lowest;
    innermost.store(lowest, std::memory_order_release);
  }

  // Holder only: what lies below the frame is deferred from now on, until that goes on.
  void begin_waiting(Ult* ult) {
    Frame* frame = ult->frame;
    set_looked_at(frame->ult, ult);
    frame->state = FrameState::waiting;
    ++waiting;
  }
  void end_waiting(Frame* waits);
  // Holder only: nothing is deferred by what waits now.
  void let_all_pass();

 private:
  // Holder only: what became ready since is in `ready`, oldest first. False: nothing did.
  bool take_mailbox();
  void activate(Frame* suspended);
  void remove(Frame* ended);
  const Frame* waits_above(const Ult* ult) const;
  void defer_first(const Frame* waits);
  bool recall_deferred();
};

// The OS thread's word for who runs: an entity; null; or, where user-level threads of the program run too, its
// entity or null complemented, which is no address of a program's. Those are asked for then (sched/guest.h).
TULLE_COLD Entity* current_beside_guests(void* word);

// The entity that runs here: null where the runtime was never entered.
inline Entity* current() {
  void* word = arch::current_pointer();
  if (TULLE_UNLIKELY(reinterpret_cast<intptr_t>(word) <= 0)) return current_beside_guests(word);
  return static_cast<Entity*>(word);
}
// The OS thread's own, without a question: for signal handlers, and for what the program's threads library calls.
inline Entity* current_of_os_thread() {
  auto word = reinterpret_cast<intptr_t>(arch::current_pointer());
  return reinterpret_cast<Entity*>(word < 0 ? ~word : word);
}
inline void set_current(Entity* entity) { arch::set_current_pointer(entity); }

}  // namespace tulle::sched
