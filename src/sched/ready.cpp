// SPDX-License-Identifier: Apache-2.0
// Ready ULTs go to where they may run, and on.
#include "sched/ready.h"

#include "arch/cpu.h"
#include "base/contract.h"
#include "sched/enter.h"
#include "sched/publish.h"
#include "sched/sleepers.h"
#include "sched/suspension_watcher.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

void go_on(Worker* w, Ult* ult) {
  Frame* frame = ult->frame;
  if (ult->tls == 0) use_own_tls(w);
  if (TULLE_UNLIKELY(frame->state == FrameState::waiting)) ult->entity->end_waiting(frame);
  if (TULLE_UNLIKELY(frame->loose) && frame->on_ready == nullptr) ult->entity->pop(frame);
  enter(w, ult->entity, frame, {ult->tls != 0 ? ult->tls : w->own_tls, ult->home});
}

Ult* claim_for(Worker* w, Entity* entity) {
  Ult* ult = entity->pick();
  TULLE_EXPECT(ult != nullptr);
  if (ult->bound != nullptr && ult->bound != w) {
    enqueue(entity);
    return nullptr;
  }
  return entity->take_picked();
}

namespace {

// True: on_ready takes it.
TULLE_NOINLINE bool take_aside(Ult* ult) {
  if (const SuspensionWatcher* watcher = suspension_watcher()) watcher->may_go_on(ult);
  OnReady on_ready = ult->frame->on_ready;
  if (on_ready == nullptr) return false;
  if (ult->handshake.exchange(Ult::kReady, std::memory_order_acq_rel) ==
      Ult::kDeparted)  // pairs with depart
    on_ready(ult);
  return true;
}

}  // namespace

bool make_ready(Ult* ult) {
  if (TULLE_UNLIKELY(ult->looked_at) && take_aside(ult)) return false;
  Entity* entity = ult->entity;
  uintptr_t seen = entity->mailbox.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  do {
    ult->next = reinterpret_cast<Ult*>(seen & ~Entity::kScheduled);
  } while (!entity->mailbox.compare_exchange_weak(
      seen, reinterpret_cast<uintptr_t>(ult) | Entity::kScheduled, std::memory_order_acq_rel,
      std::memory_order_relaxed));
  return (seen & Entity::kScheduled) == 0 && enqueue_or_retire(entity);
}

bool enqueue_or_retire(Entity* entity) {
  do {
    if (entity->pick() != nullptr) {
      enqueue(entity);
      return true;
    }
  } while (!entity->retire());
  return false;
}

void enqueue(Entity* entity) {
  Ult* ult = entity->pick();
  TULLE_EXPECT(ult != nullptr);
  // Once it is in a queue it may run, and its record is gone.
  bool bound = ult->bound != nullptr;
  Worker* target = bound ? ult->bound : entity->worker;
  if (bound)
    target->queue.push_bound(entity);
  else
    target->queue.push_ready(entity);
  publish({target, !bound}, Attention::if_nobody_was_woken);
}

void release(Entity* entity) {
  Worker* home = entity->home;
  bool away = home != nullptr && home != entity->worker;
  if (!entity->retire() && enqueue_or_retire(entity)) return;
  if (TULLE_UNLIKELY(away))
    wake(home);  // alone can run tasks in the entity's name; retire's exchange orders the look at `asleep`
}

}  // namespace tulle::sched
