// SPDX-License-Identifier: Apache-2.0
#include "sched/runqueue.h"

#include <cstddef>

#include "base/hash.h"

namespace tulle::sched {

namespace {

Bubble* bubble_of(Link* link) {
  static_assert(offsetof(Bubble, link) == 0);
  return reinterpret_cast<Bubble*>(link);
}

}  // namespace

// Under the lock, so plain loads and stores of the hints cannot lose each other.
void Runqueue::count(int entities, int stealable) {
  entities_.store(entities_.load(std::memory_order_relaxed) + static_cast<uint32_t>(entities),
                  std::memory_order_relaxed);
  stealable_.store(stealable_.load(std::memory_order_relaxed) + static_cast<uint32_t>(stealable),
                   std::memory_order_relaxed);
}

void Runqueue::push_bound(Entity* entity) {
  sync::Guard guard(lock);
  bound_.push_back(entity);
  count(1, 0);
}

void Runqueue::push_ready(Entity* entity) {
  sync::Guard guard(lock);
  ready_.push_back(entity);
  count(1, 1);
}

void Runqueue::push_bubble(Bubble* bubble, Worker* holder) {
  sync::Guard guard(lock);
  bubble->holder.store(holder, std::memory_order_relaxed);  // others take it as a hint
  if (!bubble->link.alone()) return;
  bubble->link.insert_before(&bubbles_);
  const uint32_t before = bubble_count_.load(std::memory_order_relaxed);
  bubble_count_.store(before + 1, std::memory_order_relaxed);
  if (before == 0) oldest_bubble_.store(&bubble->link, std::memory_order_release);  // pairs with find_oldest
}

void Runqueue::drop(Bubble* bubble) {
  bubble->link.remove();
  bubble_count_.store(bubble_count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  oldest_bubble_.store(bubbles_.next, std::memory_order_release);  // pairs with find_oldest
}

void Runqueue::remove_bubble(Bubble* bubble) {
  sync::Guard guard(lock);
  if (!bubble->link.alone()) drop(bubble);
}

Entity* Runqueue::pop_owner() {
  if (!has_entities()) return nullptr;
  sync::Guard guard(lock);
  // In turn: bound ones that give way to each other would keep the others for ever.
  bound_last_ = !bound_last_ && !bound_.empty();
  if (bound_last_ || ready_.empty()) {
    Entity* entity = bound_.pop_front();
    if (entity != nullptr) count(-1, 0);
    return entity;
  }
  Entity* entity = ready_.pop_front();
  count(-1, -1);
  return entity;
}

Entity* Runqueue::steal_any() {
  if (!has_stealable()) return nullptr;
  sync::Guard guard(lock);
  Entity* entity = ready_.pop_front();
  if (entity != nullptr) count(-1, -1);
  return entity;
}

// Most often there is one, and many look at it: what it has left is not certain under the lock either, so that they need not
// wait for each other. False: the lock is needed.
bool Runqueue::find_oldest(const Worker* worker, Bubble*& found) const {
  Link* oldest = oldest_bubble_.load(std::memory_order_acquire);  // pairs with push_bubble and drop
  found = nullptr;
  if (oldest == &bubbles_) return true;
  Bubble* bubble = bubble_of(oldest);
  if (bubble->left(bubble, worker, 1) != 0) {
    found = bubble;
    return true;
  }
  return bubble->may_reopen.load(std::memory_order_relaxed) && bubble_count_.load(std::memory_order_relaxed) == 1;
}

Bubble* Runqueue::open_bubble(const Worker* worker) {
  if (!has_bubbles()) return nullptr;
  Bubble* bubble;
  if (find_oldest(worker, bubble)) return bubble;
  sync::Guard guard(lock);
  return open_bubble_locked(worker);
}

Bubble* Runqueue::open_bubble_if_free(const Worker* worker) {
  if (!has_bubbles()) return nullptr;
  Bubble* bubble;
  if (find_oldest(worker, bubble) || !lock.try_lock_if_unwanted()) return bubble;
  bubble = open_bubble_locked(worker);
  lock.unlock();
  return bubble;
}

Bubble* Runqueue::open_bubble_locked(const Worker* worker) {
  // The outermost bubble of a runqueue is its oldest: the largest piece of work.
  for (Link* link = bubbles_.next; link != &bubbles_;) {
    Bubble* bubble = bubble_of(link);
    link = link->next;
    if (bubble->left(bubble, worker, 1) != 0) return bubble;
    if (!bubble->may_reopen.load(std::memory_order_relaxed)) drop(bubble);
  }
  return nullptr;
}

uint32_t Runqueue::waiting_locked() {
  uint32_t count = entities_.load(std::memory_order_relaxed) + threads.load(std::memory_order_relaxed);
  for (Link* link = bubbles_.next; link != &bubbles_; link = link->next)
    count += bubble_of(link)->left(bubble_of(link), nullptr, UINT32_MAX);
  return count;
}

uint32_t Runqueue::waiting() {
  // Relaxed: the monitor looks again.
  if (!has_bubbles()) return entities_.load(std::memory_order_relaxed) + threads.load(std::memory_order_relaxed);
  sync::Guard guard(lock);
  return waiting_locked();
}

bool Runqueue::is_empty() {
  sync::Guard guard(lock);
  return waiting_locked() == 0;
}

bool Runqueue::is_empty_for_handler() {
  if (!lock.try_lock()) return false;
  bool empty = waiting_locked() == 0;
  lock.unlock();
  return empty;
}

Runqueue::Fronts Runqueue::fronts() {
  sync::Guard guard(lock);
  uint64_t bound = golden_hash(bound_.front()), ready = golden_hash(ready_.front());
  uint64_t placed = golden_hash(threads.load(std::memory_order_relaxed)), unbegun = 0;
  for (Link* link = bubbles_.next; link != &bubbles_ && unbegun == 0; link = link->next)
    if (uint32_t left = bubble_of(link)->left(bubble_of(link), nullptr, UINT32_MAX); left != 0)
      unbegun = golden_hash(golden_hash(bubble_of(link)), left);
  return {golden_hash(bound, ready), golden_hash(unbegun, placed)};
}

bool Runqueue::may_reopen() {
  if (!has_bubbles()) return false;
  sync::Guard guard(lock);
  for (Link* link = bubbles_.next; link != &bubbles_; link = link->next)
    if (bubble_of(link)->may_reopen.load(std::memory_order_relaxed)) return true;
  return false;
}

Entity* Runqueue::take_all() {
  sync::Guard guard(lock);
  bound_.append(ready_);
  Entity* first = bound_.front();
  while (bound_.pop_front() != nullptr) {
  }
  entities_.store(0, std::memory_order_relaxed);
  stealable_.store(0, std::memory_order_relaxed);
  return first;
}

}  // namespace tulle::sched
