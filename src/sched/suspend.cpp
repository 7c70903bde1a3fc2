// SPDX-License-Identifier: Apache-2.0
// Suspension and resumption. The protocol: a ULT saves its context, and only then, on another
// stack, is it registered with what it waits for (commit) and its entity given up (retire). A
// wake-up in between finds the entity scheduled, leaves the ULT in its mailbox, and retire sees it.
#include <cerrno>

#include "base/contract.h"
#include "os/clock.h"
#include "os/fence.h"
#include "os/report.h"
#include "sched/internal.h"
#include "sched/precedence.h"
#include "sched/switch.h"

namespace tulle::sched {

namespace {

struct Departure {
  ult::Ult* ult;
  Commit commit;
  void* argument;
};

// Runs on the stack that the worker goes on with.
void depart(void* argument) {
  auto* departure = static_cast<Departure*>(argument);
  ult::Ult* ult = departure->ult;
  Entity* entity = ult->entity;
  if (TULLE_UNLIKELY(ult->precedence != nullptr)) begin_precedence(entity, ult);
  if (!departure->commit(departure->argument, ult)) make_ready(ult);
  // A diverted ULT stays until the handshake below. Whoever takes it then may end all that the entity
  // is part of, so that is given up before; any other ULT may be gone from here on.
  ult::Ult::Divert divert = ult->divert;
  release(entity);
  if (divert != nullptr &&
      ult->handshake.exchange(ult::Ult::kDeparted, std::memory_order_acq_rel) ==
          ult::Ult::kReady)  // pairs with make_ready
    divert(ult);
}

// Of the fields of the entity only those that stay as they are, whoever holds it.
void describe(ult::Ult& self, Entity* entity, Worker* w, const Standing& standing) {
  self.entity = entity;
  self.stack = w->stack;
  self.stack->suspended = &self;
  self.anchor = standing.anchor;
  self.kept = standing.kept;
  self.tls = standing.tls;
  self.pinned_to = standing.anchor;
  if (standing.anchor == nullptr && standing.tls == w->own_tls) {
    self.tls = 0;
    self.pinned_to = w;
  }
  if (self.tls == 0 || entity->tls == 0 || self.divert != nullptr) {
    self.by_value = true;
    self.saved_errno = errno;
  }
  ult::save_exception_state(self.exceptions);
}

// Between entities: its own block, or where it has none yet its OS thread's.
void use_block_of_loop(Worker* w) { use_tls(w, w->own_tls != 0 ? w->own_tls : w->native_tls); }

// What w goes on with, made current; `next` is claimed and may be null.
Place enter_next(Worker* w, Entity* next, ult::Ult* next_ult) {
  if (next == nullptr) {
    // A foreign thread's block must not be in force at two places when the monitor moves its frames;
    // only sanitizers look there before its loop has work.
    if (TULLE_UNLIKELY(ult::sanitized)) use_own_tls(w);
    use_block_of_loop(w);
    return take_parked_loop(w);
  }
  count_step(w);
  use_tls(w, next_ult->tls != 0 ? next_ult->tls : w->own_tls);
  put_in_force(w, next, next_ult);
  return {next_ult->stack, next_ult->context};
}

// A foreign OS thread outside of regions can end a wait only by what it holds from before, a lock say.
enum class Activity { none, outside_only, inside };

Activity activity() {
  Activity found = Activity::none;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr || !w->busy.load(std::memory_order_relaxed)) continue;  // relaxed: asked again
    Entity* running = w->running.load(std::memory_order_relaxed);            // relaxed: the same
    if (w->kind != WorkerKind::foreign || (running != nullptr && running != w->root))
      return Activity::inside;
    found = Activity::outside_only;
  }
  return found;
}

// Without memory for another stack the ULT keeps its worker, which can only switch to ULTs that
// have a stack already. A context of null tells the monitor that this one cannot be moved. Where no
// worker runs anything any more, what all wait for has no stack to begin on.
TULLE_COLD void wait_in_place(Departure& departure, Worker* w) {
  constexpr uint64_t kNap = 100000, kHopeless = 300000000, kHopelessBesideOthers = 3000000000;  // ns
  ult::Ult* self = departure.ult;
  bool takes_work = w->takes_work.exchange(false, std::memory_order_relaxed);  // relaxed: a hint
  self->pinned_to = w;
  // Others may run in the entity's name once it is given up, under its block.
  use_block_of_loop(w);
  depart(&departure);
  for (uint64_t idle = 0;;) {
    Entity* next = w->queue.pop_owner();
    // Relaxed: for activity() and the monitor, which look again.
    w->busy.store(next != nullptr, std::memory_order_relaxed);
    if (next == nullptr) {
      os::sleep_for(kNap);
      Activity others = activity();
      idle = others == Activity::inside ? 0 : idle + kNap;
      if (idle >= (others == Activity::none ? kHopeless : kHopelessBesideOthers))
        os::fatal("no memory for the stack of another thread, and all others wait: "
                  "a smaller OMP_STACKSIZE or fewer threads may help");
      continue;
    }
    ult::Ult* ult = claim_for(w, next);
    if (ult == nullptr) continue;
    w->takes_work.store(takes_work, std::memory_order_relaxed);
    use_tls(w, ult->tls != 0 ? ult->tls : w->own_tls);
    put_in_force(w, next, ult);
    if (ult == self) return;
    switch_to(w, &self->context, {ult->stack, ult->context}, nullptr, nullptr);
    return;
  }
}

// Runs on the loop's stack, in no entity's name.
void return_to_entity(void* ult) { make_ready(static_cast<ult::Ult*>(ult)); }

void resumed(const ult::Ult& self) {
  self.stack->suspended = nullptr;
  ult::happens_after(current());
  if (self.by_value) errno = self.saved_errno;
  ult::restore_exception_state(self.exceptions);
}

bool prepare_loop(Worker* w) { return w->parked_loop != nullptr || park_fresh_loop(w); }

bool ready_at_once(void*, ult::Ult* ult) {
  ult->yields = true;
  return false;
}

bool ready_at_home(void* home, ult::Ult* ult) {
  ult->pinned_to = static_cast<Worker*>(home);
  return false;
}

}  // namespace

void put_in_force(Worker* w, Entity* entity, ult::Ult* ult) {
  entity->worker = w;
  w->running.store(entity, std::memory_order_relaxed);  // relaxed: for the monitor
  entity->anchor = ult->anchor;
  entity->divert = ult->divert;
  *entity->kept = ult->kept;
  if (TULLE_UNLIKELY(entity->precedence != nullptr)) end_precedence(entity, ult);
  set_current(entity);
}

ult::Ult* claim_for(Worker* w, Entity* entity) {
  ult::Ult* ult = entity->peek_ready();
  TULLE_EXPECT(ult != nullptr);
  if (ult->pinned_to != nullptr && ult->pinned_to != w) {
    enqueue(entity);
    return nullptr;
  }
  return entity->take_ready();
}

TULLE_NOINLINE void suspend(Commit commit, void* argument, Precedence* precedence) {
  Entity* entity = current();
  Worker* w = entity->worker;
  ult::Ult self;
  self.divert = entity->divert;
  describe(self, entity, w, {w->tls, entity->anchor, *entity->kept});
  self.precedence = precedence != nullptr && precedence->below != nullptr ? precedence : nullptr;
  // Relaxed: only w writes it.
  w->ults_made.store(w->ults_made.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  ult::happens_before(entity);  // an entity's ULTs run one after the other
  Departure departure{&self, commit, argument};
  ult::Ult::Divert divert = self.divert;

  Entity* next = nullptr;
  ult::Ult* next_ult = nullptr;
  if (w->queue.has_entities() && !w->entities_last && leave_seat(w))
    while (next_ult == nullptr && (next = w->queue.pop_owner()) != nullptr)
      next_ult = claim_for(w, next);
  if (next == nullptr && !prepare_loop(w)) {
    self.divert = nullptr;  // nobody else can go on with a stack that stays in use
    wait_in_place(departure, w);
    entity->divert = divert;
  } else {
    switch_to(w, &self.context, enter_next(w, next, next_ult), depart, &departure);
  }
  resumed(self);
}

TULLE_NOINLINE void go_on_as(Entity* entity, Worker* w, const Standing& standing) {
  ult::Ult self;
  describe(self, entity, w, standing);
  if (prepare_loop(w)) {
    switch_to(w, &self.context, enter_next(w, nullptr, nullptr), return_to_entity, &self);
  } else {
    constexpr uint64_t kNap = 100000;  // ns; without memory for another stack
    while (!entity->try_acquire()) os::sleep_for(kNap);
    use_tls(w, standing.tls);
    put_in_force(w, entity, &self);
  }
  resumed(self);
}

uint64_t ults_made() {
  uint64_t sum = 0;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed))
      sum += w->ults_made.load(std::memory_order_relaxed);  // relaxed: a statistic
  return sum;
}

bool make_ready(ult::Ult* ult) {
  if (ult->divert != nullptr) {
    ult::Ult::Divert divert = ult->divert;
    if (ult->handshake.exchange(ult::Ult::kReady, std::memory_order_acq_rel) ==
        ult::Ult::kDeparted)  // pairs with depart
      divert(ult);
    return false;
  }
  Entity* entity = ult->entity;
  uintptr_t seen = entity->mailbox.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  do {
    ult->next = reinterpret_cast<ult::Ult*>(seen & ~Entity::kScheduled);
  } while (!entity->mailbox.compare_exchange_weak(
      seen, reinterpret_cast<uintptr_t>(ult) | Entity::kScheduled, std::memory_order_acq_rel,
      std::memory_order_relaxed));
  return (seen & Entity::kScheduled) == 0 && enqueue_or_retire(entity);
}

bool enqueue_or_retire(Entity* entity) {
  do {
    if (entity->peek_ready() != nullptr) {
      enqueue(entity);
      return true;
    }
  } while (!entity->retire());
  return false;
}

void enqueue(Entity* entity) {
  ult::Ult* ult = entity->peek_ready();
  TULLE_EXPECT(ult != nullptr);
  // Once it is in a queue it may run, and its record is gone.
  bool pinned = ult->pinned_to != nullptr;
  Worker* target = ult->pinned_to;
  if (pinned) {
    target->queue.push_pinned(entity);
  } else {
    target = entity->worker;
    target->queue.push_ready(entity);
  }
  os::hot_fence();  // the push before the looks at who sleeps; pairs with the sleeper's heavy fence
  bool woken = target->asleep.load(std::memory_order_relaxed) != 0 && wake(target);
  if (!woken && !pinned && somebody_sleeps()) woken = wake_any();
  // A worker that somebody else has woken may take other work, and not come back to this.
  if (!woken) arm_monitor();
}

void release(Entity* entity) {
  Worker* home = entity->anchor;
  bool away = home != nullptr && home != entity->worker;
  if (!entity->retire() && enqueue_or_retire(entity)) return;
  if (TULLE_UNLIKELY(away))
    wake(home);  // alone can run tasks in the entity's name; retire's exchange orders the look at `asleep`
}

void yield(LiesBelow below) {
  Worker* w = current()->worker;
  // Else entities that yield to each other would keep it from all else.
  w->entities_last = w->queue.has_open_bubble(w) || placed_waits_for(w);
  if (!w->entities_last && !w->queue.has_entities()) return;
  Precedence precedence{below};
  suspend(ready_at_once, nullptr, &precedence);
}

void step_aside() { suspend(ready_at_once, nullptr); }

void go_to(Worker* home) {
  while (current()->worker != home) suspend(ready_at_home, home);
}

}  // namespace tulle::sched
