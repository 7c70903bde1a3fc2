// SPDX-License-Identifier: Apache-2.0
#include "sched/entity.h"

#include "base/chain.h"

namespace tulle::sched {

// Amortised constant time: what was found deferred is not looked at again before the innermost frame that
// waits has gone on.
Ult* Entity::pick() {
  for (;;) {
    while (ready != nullptr) {
      const Frame* waits = TULLE_LIKELY(waiting == 0) ? nullptr : waits_above(ready);
      if (waits == nullptr) return ready;
      defer_first(waits);
    }
    if (!take_mailbox() && (deferred == 0 || !recall_deferred())) return nullptr;
  }
}

// The innermost frame that waits, if the ULT lies below it and does not only let others go first.
const Frame* Entity::waits_above(const Ult* ult) const {
  if (ult->yields) return nullptr;
  const Frame* at = innermost.load(std::memory_order_relaxed);
  while (at != ult->frame && at->state != FrameState::waiting) at = at->below;
  return at != ult->frame ? at : nullptr;
}

void Entity::defer_first(const Frame* waits) {
  Ult* ult = ready;
  Frame* frame = ult->frame;
  ready = ult->next;
  if (frame->state == FrameState::waiting) --waiting;  // the one above it defers what lies below both
  frame->state = FrameState::deferred;
  set_looked_at(frame->ult, ult);
  ++deferred;
  deferral.begin(this, waits);
}

// The innermost deferred frame, if none above it waits any more.
bool Entity::recall_deferred() {
  Frame* at = innermost.load(std::memory_order_relaxed);
  while (at != nullptr && at->state == FrameState::active) at = at->below;
  if (at == nullptr || at->state != FrameState::deferred) return false;
  at->ult->next = ready;
  ready = at->ult;
  activate(at);
  if (--deferred == 0) deferral.end(this);
  return true;
}

void Entity::activate(Frame* suspended) {
  suspended->state = FrameState::active;
  set_looked_at(suspended->ult, static_cast<Ult*>(nullptr));
}

void Entity::end_waiting(Frame* waits) {
  activate(waits);
  --waiting;
  if (deferred != 0) deferral.restart();
}

void Entity::let_all_pass() {
  for (Frame* at = innermost.load(std::memory_order_relaxed); at != nullptr; at = at->below)
    if (at->state == FrameState::waiting) end_waiting(at);
}

void Entity::remove(Frame* ended) {
  Frame* above = innermost.load(std::memory_order_relaxed);
  while (above->below != ended) above = above->below;
  set_looked_at(above->below, ended->below);  // servers of tasks look as a hint
}

bool Entity::take_mailbox() {
  uintptr_t seen = mailbox.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  if (seen == kScheduled) return false;
  seen = mailbox.exchange(kScheduled, std::memory_order_acquire);
  // The mailbox is last in, first out; ULTs run in the order in which they became ready.
  ready = turned_over(reinterpret_cast<Ult*>(seen & ~kScheduled), ready);
  return true;
}

Ult* Entity::take_picked() {
  Ult* first = pick();
  if (first != nullptr) ready = first->next;
  return first;
}

bool Entity::retire() {
  if (ready != nullptr || (TULLE_UNLIKELY(deferred != 0) && pick() != nullptr)) return false;
  uintptr_t expected = kScheduled;
  return mailbox.compare_exchange_strong(expected, 0, std::memory_order_release,
                                         std::memory_order_relaxed);
}

}  // namespace tulle::sched
