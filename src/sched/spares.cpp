// SPDX-License-Identifier: Apache-2.0
#include "sched/spares.h"

#include <algorithm>

#include "sched/placing.h"
#include "sched/pool.h"
#include "sched/sleepers.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

std::atomic<uint64_t> taken{0};  // relaxed: a statistic

// How many of `wanted` more spares what waits anywhere in the crew has use for.
uint32_t useful_spares(uint32_t wanted, const Crew* crew) {
  uint32_t waiting = 0, looking = 0, index = 0;
  while (next_looking(index, crew) != nullptr) ++looking;
  if (looking == 0) return wanted;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count && waiting < looking + wanted; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed); w != nullptr && crew_of(w) == crew)
      waiting += waiting_at(w);
  return waiting > looking ? std::min(wanted, waiting - looking) : 0;
}

// Frames that are suspended without a context stay in use where they are (sched/suspend.cpp).
bool can_move(Entity* entity) {
  for (Ult* ult = entity->pick(); ult != nullptr; ult = ult->next)
    if (ult->context == nullptr) return false;
  return true;
}

}  // namespace

Worker* take_spare(const Crew* crew) {
  Worker* w = claim_sleeping_spare(crew);
  if (w == nullptr && (w = start_spare(crew)) != nullptr) stand_ins.spares.fetch_add(1, std::memory_order_relaxed);
  if (w != nullptr) taken.fetch_add(1, std::memory_order_relaxed);
  return w;
}

uint64_t spares_taken() { return taken.load(std::memory_order_relaxed); }

Worker* next_looking(uint32_t& index, const Crew* crew) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  while (index < count) {
    Worker* w = all_workers[index++].load(std::memory_order_relaxed);
    // Relaxed: who finds it at work after all is as well off as with one that has just begun.
    if (w == nullptr || !is_active_spare(w) || crew_of(w) != crew) continue;
    if (!w->busy.load(std::memory_order_relaxed)) return w;
  }
  return nullptr;
}

Worker* some_active_spare(const Crew* crew) {
  uint32_t index = 0;
  if (Worker* w = next_looking(index, crew)) return w;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w != nullptr && is_active_spare(w) && crew_of(w) == crew) return w;
  }
  return nullptr;
}

uint32_t waiting_at(Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_acquire);  // a hint; pairs with take_seat
  return w->queue.waiting() + (seat != nullptr ? seat->left() : 0) + placed_above(w);
}

void hand_over(Worker* from, Worker* to) {
  // Relaxed: the spare sees it at the latest when it looks again.
  if (to->kind == WorkerKind::spare)
    to->leaf.store(from->leaf.load(std::memory_order_relaxed), std::memory_order_relaxed);
  Entity* entity = from->queue.take_all();
  while (entity != nullptr) {
    Entity* next = entity->next_in_queue;
    bool movable = can_move(entity);
    for (Ult* ult = entity->pick(); movable && ult != nullptr; ult = ult->next)
      if (ult->bound == from) ult->bound = to;
    Ult* first = entity->pick();
    if (first != nullptr && first->bound == nullptr)
      to->queue.push_ready(entity);
    else
      (movable ? to : from)->queue.push_bound(entity);
    entity = next;
  }
}

void call_spares(uint32_t count, const Crew* crew) {
  count = useful_spares(count, crew);
  for (uint32_t i = 0; i < count; ++i) {
    Worker* spare = take_spare(crew);
    if (spare == nullptr) return;
    rouse(spare);
  }
}

}  // namespace tulle::sched
