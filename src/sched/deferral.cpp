// SPDX-License-Identifier: Apache-2.0
#include "sched/deferral.h"

#include "sched/durations.h"
#include "sched/publish.h"
#include "sched/ready.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

uint32_t ageing(Motion motion) {
  switch (motion) {
    case Motion::none: return durations::kAgeingIdle;
    case Motion::outside:
    case Motion::in_place: return durations::kAgeingInPlace;
    case Motion::onwards: break;
  }
  return durations::kAgeing;
}

TULLE_HELD_AT_FORK sync::Spinlock lock;
Entity* deferring TULLE_GUARDED_BY(lock) = nullptr;

void unlist_locked(Entity* entity) TULLE_UNDER(lock) {
  Entity** at = &deferring;
  while (*at != entity) at = &(*at)->deferral.next;
  *at = entity->deferral.next;
  entity->deferral.listed = false;
}

// Relaxed in both: it changes or does not.
uint32_t wakes_of(const Deferral& deferral) {
  return deferral.wakes != nullptr ? deferral.wakes->load(std::memory_order_relaxed) : 0;
}

bool is_too_old(Deferral& deferral, Motion motion) {
  uint32_t wakes = wakes_of(deferral);
  uint32_t age = wakes != deferral.wakes_seen ? 0 : deferral.age.load(std::memory_order_relaxed);
  deferral.wakes_seen = wakes;
  deferral.age.store(age + ageing(motion), std::memory_order_relaxed);
  return age + ageing(motion) >= durations::kOldest;
}

}  // namespace

void Deferral::begin(Entity* entity, const Frame* waits) {
  if (listed) return;
  age.store(0, std::memory_order_relaxed);  // published by the lock
  {
    sync::Guard guard(lock);
    wakes = waits->ult->wakes;
    wakes_seen = wakes_of(*this);
    next = deferring;
    deferring = entity;
    listed = true;
  }
  publish({nullptr, false}, Attention::always);
}

void Deferral::restart() { age.store(0, std::memory_order_relaxed); }  // relaxed: a tick may be lost

void Deferral::end(Entity* entity) {
  if (!listed) return;
  sync::Guard guard(lock);
  unlist_locked(entity);
}

bool something_deferred() {
  sync::Guard guard(lock);
  return deferring != nullptr;
}

void tick_deferrals(Motion motion) {
  Entity* passing = nullptr;
  {
    sync::Guard guard(lock);
    for (Entity *entity = deferring, *next; entity != nullptr; entity = next) {
      next = entity->deferral.next;
      // As long as something runs in its name, that may be what is waited for.
      if (!is_too_old(entity->deferral, motion) || !entity->try_acquire()) continue;
      // It stays listed: what passes may wait again, for what is deferred still.
      entity->deferral.age.store(0, std::memory_order_relaxed);
      entity->let_all_pass();
      entity->next_in_queue = passing;
      passing = entity;
    }
  }
  while (passing != nullptr) {
    Entity* entity = passing;
    passing = entity->next_in_queue;
    enqueue_or_retire(entity);
  }
}

void reset_deferrals_after_fork(Entity* entity) TULLE_WITHOUT_LOCKS {
  deferring = nullptr;
  if (entity == nullptr) return;
  entity->let_all_pass();
  entity->deferred = 0;
  entity->deferral.listed = false;
}

}  // namespace tulle::sched
