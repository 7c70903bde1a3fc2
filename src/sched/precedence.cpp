// SPDX-License-Identifier: Apache-2.0
#include "sched/precedence.h"

#include "os/fence.h"
#include "sched/internal.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

// What is held back passes at this age: after 5 ticks without motion, 100 of motion in place, or 1,000.
constexpr uint32_t kOldest = 1000;

uint32_t ageing(Motion motion) {
  switch (motion) {
    case Motion::none: return kOldest / 5;
    case Motion::in_place: return kOldest / 100;
    case Motion::onwards: break;
  }
  return 1;
}

TULLE_HELD_AT_FORK sync::Spinlock holding_lock;
Precedence* holding = nullptr;  // under holding_lock: those that hold something back

// The last one that began to wait of those above `ult`.
Precedence* above(const Entity* entity, const ult::Ult* ult) {
  for (Precedence* p = entity->precedence; p != nullptr; p = p->next)
    if (p->ult != ult && p->below(ult->kept, p->ult->kept)) return p;
  return nullptr;
}

void note_holding(Precedence* precedence) {
  precedence->age = 0;
  {
    sync::Guard guard(holding_lock);
    precedence->next_holding = holding;
    holding = precedence;
  }
  os::hot_fence();  // before the look at the monitor; pairs with its heavy fence
  arm_monitor();
}

// Holder, under holding_lock: from now on it holds nothing back.
void dismiss(Entity* entity, Precedence* precedence) {
  Precedence** at = &holding;
  while (*at != precedence) at = &(*at)->next_holding;
  *at = precedence->next_holding;
  ult::Ult** end = &entity->ready;
  while (*end != nullptr) end = &(*end)->next;
  *end = precedence->held;
  precedence->held = nullptr;
  precedence->held_end = &precedence->held;
}

// False: it does not take precedence any more.
bool leave(Entity* entity, const Precedence* precedence) {
  Precedence** at = &entity->precedence;
  while (*at != nullptr && *at != precedence) at = &(*at)->next;
  if (*at == nullptr) return false;
  *at = precedence->next;
  return true;
}

}  // namespace

void begin_precedence(Entity* entity, ult::Ult* ult) {
  ult->precedence->ult = ult;
  ult->precedence->next = entity->precedence;
  entity->precedence = ult->precedence;
}

void end_precedence(Entity* entity, ult::Ult* ult) {
  Precedence* precedence = ult->precedence;
  if (precedence == nullptr || !leave(entity, precedence) || precedence->held == nullptr) return;
  sync::Guard guard(holding_lock);
  dismiss(entity, precedence);
}

void hold_back(Entity* entity) {
  ult::Ult** end = &entity->ready;
  while (ult::Ult* ult = *end) {
    Precedence* higher = ult->yields ? nullptr : above(entity, ult);
    if (higher == nullptr) {
      end = &ult->next;
      continue;
    }
    *end = ult->next;
    ult->next = nullptr;
    if (higher->held == nullptr) note_holding(higher);
    *higher->held_end = ult;
    higher->held_end = &ult->next;
  }
}

bool something_held_back() {
  sync::Guard guard(holding_lock);
  return holding != nullptr;
}

void tick_precedence(Motion motion) {
  Entity* passing = nullptr;
  {
    sync::Guard guard(holding_lock);
    for (Precedence *p = holding, *next; p != nullptr; p = next) {
      next = p->next_holding;
      // Relaxed: it changes or does not.
      uint32_t wakes = p->wakes != nullptr ? p->wakes->load(std::memory_order_relaxed) : 0;
      if (wakes != p->wakes_seen) p->age = 0;
      p->wakes_seen = wakes;
      if ((p->age += ageing(motion)) < kOldest) continue;
      Entity* entity = p->ult->entity;
      // As long as something runs in its name, that may be what is waited for.
      if (!entity->try_acquire()) continue;
      leave(entity, p);
      dismiss(entity, p);
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

void reset_precedence_after_fork(Entity* entity) {
  holding = nullptr;
  if (entity != nullptr) entity->precedence = nullptr;
}

}  // namespace tulle::sched
