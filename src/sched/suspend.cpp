// SPDX-License-Identifier: Apache-2.0
// Suspension and resumption. The protocol: a ULT saves its context, and only then, on another
// stack, is it registered with what it waits for (commit) and its entity given up (retire). A
// wake-up in between finds the entity scheduled, leaves the ULT in its mailbox, and retire sees it.
#include "sched/suspend.h"

#include <cerrno>

#include "arch/cpu.h"
#include "base/contract.h"
#include "base/look.h"
#include "base/probe.h"
#include "os/clock.h"
#include "os/report.h"
#include "sched/announce.h"
#include "sched/durations.h"
#include "sched/enter.h"
#include "sched/guest.h"
#include "sched/loop.h"
#include "sched/motion.h"
#include "sched/placing.h"
#include "sched/publish.h"
#include "sched/ready.h"
#include "sched/signals.h"
#include "sched/suspension_watcher.h"
#include "sched/wait.h"
#include "sched/worker.h"
#include "sched/workers.h"
#include "ult/switch.h"

namespace tulle::sched {

namespace {

struct Departure {
  Ult* ult;
  const Suspension* why;
};

// Runs on the stack that the worker goes on with.
void depart(void* argument) {
  auto* departure = static_cast<Departure*>(argument);
  Ult* ult = departure->ult;
  Entity* entity = ult->entity;
  Frame* frame = ult->frame;
  OnReady on_ready = frame->on_ready;
  if (TULLE_UNLIKELY(frame->loose) && on_ready == nullptr) entity->push(frame);
  bool defers = departure->why->defers && frame->depth != 0 && on_ready == nullptr;
  if (defers) entity->begin_waiting(ult);
  if (!departure->why->commit(departure->why->argument, ult)) make_ready(ult);
  // One with on_ready stays until the handshake below. Whoever takes it then may end all that the entity
  // is part of, so that is given up before; any other ULT may be gone from here on.
  release(entity);
  if (on_ready != nullptr &&
      ult->handshake.exchange(Ult::kDeparted, std::memory_order_acq_rel) ==
          Ult::kReady)  // pairs with make_ready
    on_ready(ult);
}

// Of the fields of the entity only those that stay as they are, whoever holds it.
void describe(Ult& self, Entity* entity, Worker* w, Frame* frame, Footing footing) {
  self.entity = entity;
  self.frame = frame;
  self.stack = w->stack;
  self.stack->suspended = &self;
  self.home = self.bound = footing.home;
  self.tls = footing.tls;
  if (footing.home == nullptr && footing.tls == w->own_tls) {
    self.tls = 0;
    self.bound = w;
  }
  const bool taken = frame->on_ready != nullptr;
  self.looked_at = taken || suspension_watcher() != nullptr;
  if (self.tls == 0 || entity->tls == 0 || taken) {
    self.by_value = true;
    self.saved_errno = errno;
  }
  ult::save_exception_state(self.exceptions);
}

// The context that w goes on with, made current; `next` is claimed and may be null.
ult::StackContext enter_next(Worker* w, Ult* next) {
  if (next == nullptr) {
    // A foreign thread's block must not be in force at two places when the monitor moves its frames; sanitizers and
    // ports of other libraries look there before its loop has work, and so does who sends signals to whole members.
    const bool always = ult::sanitized || !ult::port::kNative;
    if (TULLE_UNLIKELY(always || (w->own_tls == 0 && look(members_are_whole)))) use_own_tls(w);
    leave(w);
    return take_parked_loop(w);
  }
  count_step(w);
  go_on(w, next);
  return {next->stack, next->context};
}

// A worker that goes on with nothing but entities: whoever looked at its bubbles before found the name that is
// given up now in use, and may sleep.
TULLE_COLD void offer_bubbles(Worker* w) {
  if (w->queue.has_bubbles()) publish({w, true}, Attention::if_nobody_was_woken);
}

// Without memory for another stack the ULT keeps its worker, which can only switch to ULTs that
// have a stack already. A context of null tells the monitor that this one cannot be moved. Where no
// worker runs anything any more, what all wait for has no stack to begin on.
TULLE_COLD void wait_in_place(Departure& departure, Worker* w) {
  Ult* self = departure.ult;
  bool takes_work = w->takes_work.exchange(false, std::memory_order_relaxed);  // relaxed: a hint
  self->bound = w;
  // Others may run in the entity's name once it is given up, under its block.
  leave(w);
  depart(&departure);
  offer_bubbles(w);
  for (uint64_t idle = 0;;) {
    Entity* next = w->queue.pop_owner();
    // Relaxed: for motion() and the monitor, which look again.
    w->busy.store(next != nullptr, std::memory_order_relaxed);
    if (next == nullptr) {
      os::sleep_for(durations::kNap);
      Motion others = motion();
      idle = others > Motion::outside ? 0 : idle + durations::kNap;
      if (idle >= (others == Motion::none ? durations::kHopeless : durations::kHopelessBesideOthers))
        os::fatal("no memory for the stack of another thread, and all others wait: "
                  "a smaller OMP_STACKSIZE or fewer threads may help");
      continue;
    }
    Ult* ult = claim_for(w, next);
    if (ult == nullptr) continue;
    w->takes_work.store(takes_work, std::memory_order_relaxed);
    go_on(w, ult);
    if (ult != self)
      ult::switch_to(w->stack, &self->context, {ult->stack, ult->context}, nullptr, nullptr);
    return;
  }
}

// A guest's stack stays where it is: the program's library lets others of its threads go on.
TULLE_COLD void wait_as_guest(Departure& departure, Worker* w) {
  Ult* self = departure.ult;
  depart(&departure);
  offer_bubbles(w);
  for (;;) {
    Entity* next = w->queue.pop_owner();
    if (next == nullptr) {
      sleep_as_guest(w);
      continue;
    }
    Ult* ult = claim_for(w, next);
    if (ult == nullptr) continue;
    TULLE_EXPECT(ult == self);
    follow_guest(w);
    w->entities_last.store(0, std::memory_order_relaxed);  // W: itself; it has no loop that would count them
    self->tls = w->tls;
    count_step(w);
    go_on(w, self);
    return;
  }
}

// Runs on the loop's stack, in no entity's name.
void return_to_entity(void* ult) { make_ready(static_cast<Ult*>(ult)); }

void resumed(const Ult& self) {
  self.stack->suspended = nullptr;
  ult::happens_after(current());
  if (auto* watcher = suspension_watcher(); TULLE_UNLIKELY(watcher != nullptr)) watcher->goes_on(current(), self);
  TULLE_PROBE_2(resume, self.entity, self.frame);
  if (self.by_value) errno = self.saved_errno;
  ult::restore_exception_state(self.exceptions);
  if (TULLE_UNLIKELY(!current()->worker->enters_plainly)) handle_signals(current()->worker);
}

// What is ready on this worker; null: nothing, or its seat needs it.
Entity* take_next(Worker* w) {
  Entity* next = w->queue.pop_owner();
  if (next == nullptr || leave_seat_for(w, next->bubble)) return next;
  enqueue(next);
  return nullptr;
}

bool prepare_loop(Worker* w) { return w->parked_loop != nullptr || park_fresh_loop(w); }

bool ready_at_once(void*, Ult* ult) {
  ult->yields = true;
  return false;
}

bool ready_at_home(void* home, Ult* ult) {
  ult->bound = static_cast<Worker*>(home);
  return false;
}

}  // namespace

TULLE_NOINLINE void suspend(const Suspension& why) {
  Entity* entity = current();
  Worker* w = entity->worker;
  Frame* frame = entity->frame;
  if (auto* watcher = suspension_watcher(); TULLE_UNLIKELY(watcher != nullptr)) watcher->leaves(entity, frame);
  TULLE_PROBE_2(suspend, entity, frame);
  Ult self;
  describe(self, entity, w, frame, footing_of(entity));
  self.wakes = why.wakes;
  // Relaxed: only w writes it.
  w->ults_made.store(w->ults_made.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  ult::happens_before(entity);  // an entity's ULTs run one after the other
  Departure departure{&self, &why};
  if (TULLE_UNLIKELY(w->guests == Guests::itself)) {
    wait_as_guest(departure, w);
    resumed(self);
    return;
  }

  Entity* next = nullptr;
  Ult* next_ult = nullptr;
  // Where signals may be sent the loop goes on with them: this stack is left first (sched/visit.h).
  if (w->queue.has_entities() && w->entities_last.load(std::memory_order_relaxed) == 0 &&
      TULLE_LIKELY(!signals_in_use.load(std::memory_order_relaxed)))
    while (next_ult == nullptr && (next = take_next(w)) != nullptr) next_ult = claim_for(w, next);
  if (next == nullptr && !prepare_loop(w)) {
    OnReady on_ready = frame->on_ready;
    frame->on_ready = nullptr;  // nobody else can go on with a stack that stays in use
    wait_in_place(departure, w);
    frame->on_ready = on_ready;
  } else {
    ult::switch_to(w->stack, &self.context, enter_next(w, next_ult), depart, &departure);
  }
  resumed(self);
}

TULLE_NOINLINE void take_back_later(Entity* entity, Worker* w, Frame* frame, Footing footing) {
  Ult self;
  describe(self, entity, w, frame, footing);
  if (prepare_loop(w)) {
    ult::switch_to(w->stack, &self.context, enter_next(w, nullptr), return_to_entity, &self);
  } else {
    // Without memory for another stack.
    while (!entity->try_acquire()) os::sleep_for(durations::kNap);
    enter(w, entity, frame, footing);
  }
  resumed(self);
}

void yield(bool defers) {
  Worker* w = current()->worker;
  // Else entities that yield to each other would keep it from all else.
  bool begins = something_unbegun(w);
  if (!begins && !w->queue.has_entities() && !current()->has_ready()) return;
  give_turn(w, begins);
  suspend({ready_at_once, nullptr, defers});
}

void detail::nap() { os::sleep_for(durations::kShortNap); }

void step_aside(bool defers) { suspend({ready_at_once, nullptr, defers}); }

void go_to(Worker* home) {
  while (current()->worker != home) suspend({ready_at_home, home, false});
}

}  // namespace tulle::sched
