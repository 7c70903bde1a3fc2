// SPDX-License-Identifier: Apache-2.0
#include "sched/entity.h"

#include "base/look.h"
#include "sched/precedence.h"

namespace tulle::sched {

ult::Ult* Entity::peek_ready() {
  for (;;) {
    if (ready == nullptr && !take_mailbox()) return nullptr;
    if (TULLE_LIKELY(precedence == nullptr)) return ready;
    hold_back(this);
    if (ready != nullptr) return ready;
  }
}

bool Entity::take_mailbox() {
  uintptr_t seen = mailbox.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  if (seen == kScheduled) return false;
  seen = mailbox.exchange(kScheduled, std::memory_order_acquire);
  // The mailbox is last in, first out; ULTs run in the order in which they became ready.
  auto* list = reinterpret_cast<ult::Ult*>(seen & ~kScheduled);
  while (list != nullptr) {
    ult::Ult* next = list->next;
    list->next = ready;
    ready = list;
    list = next;
  }
  return true;
}

ult::Ult* Entity::take_ready() {
  ult::Ult* first = peek_ready();
  if (first != nullptr) ready = first->next;
  return first;
}

bool Entity::retire() {
  if (ready != nullptr) return false;
  uintptr_t expected = kScheduled;
  return mailbox.compare_exchange_strong(expected, 0, std::memory_order_release,
                                         std::memory_order_relaxed);
}

}  // namespace tulle::sched
