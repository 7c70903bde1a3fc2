// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_pool.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "base/chain.h"
#include "base/hash.h"
#include "omp/queue/task_policy.h"
#include "sched/pool.h"
#include "sched/settings.h"
#include "sched/worker.h"
#include "sched/workers.h"
#include "topology/topology.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kRoom = 4096;  // workers that can have a queue in one team
constexpr uint32_t kMany = UINT32_MAX;

// A word of the table of affinities: the address above, the number of a queue below.
constexpr uint32_t kNumberBits = 12;
static_assert(kRoom == 1 << kNumberBits);

uint64_t near_word(const void* address, uint32_t number) {
  return (reinterpret_cast<uintptr_t>(address) << kNumberBits) | number;
}

}  // namespace

// False: no memory, or too many workers. The first table stays for who looks at it still.
bool TaskPool::make_room_locked(uint32_t number) {
  if (number != kFirstQueues || queues_.load(std::memory_order_relaxed) != first_queues_) return number < kRoom;
  auto* all = static_cast<Place*>(calloc(kRoom, sizeof(Place)));
  if (all == nullptr) return false;
  for (uint32_t i = 0; i < number; ++i) all[i].store(queue_at(i), std::memory_order_relaxed);
  queues_.store(all, std::memory_order_release);  // pairs with queue_at: a reader may know of fewer queues
  return true;
}

TaskQueue* TaskPool::queue_of(sched::Worker* worker) {
  TaskQueue* queue = find_or_make(worker);
  if (queue != nullptr && queue->number >= kFewQueues) divide_by_machine();
  return queue;
}

TaskQueue* TaskPool::find_or_make(sched::Worker* worker) {
  sync::Guard guard(lock_);
  uint32_t count = count_.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    TaskQueue* queue = queue_at(i);
    if (queue->owner == worker) return queue;
  }
  if (count == 0) set_task_policies();
  if (!make_room_locked(count)) return nullptr;
  void* memory = aligned_alloc(alignof(TaskQueue), sizeof(TaskQueue));
  if (memory == nullptr) return nullptr;
  auto* queue = new (memory) TaskQueue;
  queue->owner = worker;
  queue->number = queue->victim = queue->last_identity = count;
  queue->memory.tell(&burst);
  queues_.load(std::memory_order_relaxed)[count].store(queue, std::memory_order_relaxed);
  count_.store(count + 1, std::memory_order_release);  // pairs with the readers of count_
  if (clusters_.load(std::memory_order_relaxed) != nullptr) put_into_cluster_locked(queue);
  return queue;
}

TaskQueue* TaskPool::own_queue_of(sched::Worker* self) {
  TaskQueue* queue = known_queue_of(self);
  if (TULLE_LIKELY(queue != nullptr)) return queue;
  queue = queue_of(self);
  if (queue != nullptr) self->task_queue = queue->number;
  return queue;
}

// Without memory, or a stack to find the machine's topology on, thieves go on as where there are few. It takes too long to be
// found under the lock.
void TaskPool::divide_by_machine() {
  if (clusters_.load(std::memory_order_relaxed) != nullptr) return;
  if (!topology::machine_is_known() && !sched::stacks_hold_topology()) return;
  TaskClusters* made = TaskClusters::make(static_cast<uint32_t>(sched::settings().workers));
  if (made != nullptr) divide(made);
}

void TaskPool::divide(TaskClusters* clusters) {
  sync::Guard guard(lock_);
  if (clusters_.load(std::memory_order_relaxed) != nullptr) return TaskClusters::free(clusters);
  clusters_.store(clusters, std::memory_order_release);  // pairs with any_list
  for (uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) put_into_cluster_locked(queue_at(i));
}

void TaskPool::put_into_cluster_locked(TaskQueue* queue) {
  TaskCluster* cluster = clusters_.load(std::memory_order_relaxed)->of(queue->owner);
  queue->next_near = cluster->newest.load(std::memory_order_relaxed);
  cluster->newest.store(queue, std::memory_order_release);  // pairs with the walks over a cluster
  queue->cluster.store(cluster, std::memory_order_release);  // pairs with its owner's looks
}

bool TaskPool::can_take_shared(const Task* constraint) {
  return any_list(*this, [=](SharedTasks& list) { return list.holds(constraint); });
}

bool TaskPool::something_shared() const {
  return any_list(*this, [](const SharedTasks& list) { return list.holds_some(); });
}

// One of its cluster at a time, as in steal_many.
Task* TaskPool::take_shared_far(const TaskQueue* own, const Task* constraint) {
  TaskCluster* near = own->cluster.load(std::memory_order_acquire);  // pairs with put_into_cluster_locked
  Task* task = nullptr;
  if (near == nullptr || !near->away.take()) return task;
  clusters_.load(std::memory_order_relaxed)->any_beside(near, [&](TaskCluster& cluster) {
    task = cluster.shared.take(constraint);
    return task != nullptr;
  });
  near->away.give_back();
  return task;
}

void TaskPool::push_inbox(TaskQueue* queue, Task* task) {
  Task* seen = queue->inbox.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  do {
    task->next = seen;
  } while (!queue->inbox.compare_exchange_weak(seen, task, std::memory_order_release,
                                               std::memory_order_relaxed));  // pairs with adopt
}

bool TaskPool::adopt(TaskQueue* own) {
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  Task* newest = nullptr;
  for (uint32_t i = 0; i < count && newest == nullptr; ++i) {
    TaskQueue* queue = queue_at((own->number + i) % count);
    if (queue->inbox.load(std::memory_order_relaxed) == nullptr) continue;  // a hint
    newest = queue->inbox.exchange(nullptr, std::memory_order_acquire);  // pairs with push_inbox
  }
  if (newest == nullptr) return false;
  Task* oldest = turned_over(newest);
  while (oldest != nullptr) {
    Task* next = oldest->next;
    if (!own->deque.push_owner(oldest)) push_shared(oldest, own);
    oldest = next;
  }
  return true;
}

TaskQueue* TaskPool::next_in_turn(TaskQueue* own, uint32_t workers) {
  workers = std::min(workers, kRoom);
  if (count_.load(std::memory_order_relaxed) < workers) {
    const sched::Crew* crew = sched::crew_of(own->owner);
    int beside = sched::start_workers(crew);
    for (int i = 1; i <= beside && count_.load(std::memory_order_relaxed) < workers; ++i)
      queue_of(sched::worker_of(crew, i));
  }
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  return queue_at(own->dealt++ % count);
}

bool TaskPool::sole_maker(uint32_t barrier, uint32_t number) {
  uint64_t mine = uint64_t{barrier} << 32 | number;
  uint64_t seen = maker_.load(std::memory_order_relaxed);  // relaxed in all: a hint
  if (seen == mine) return true;
  if (seen >> 32 == barrier) {
    if (static_cast<uint32_t>(seen) != kMany)
      maker_.store(uint64_t{barrier} << 32 | kMany, std::memory_order_relaxed);
    return false;
  }
  return maker_.compare_exchange_strong(seen, mine, std::memory_order_relaxed);
}

std::atomic<uint64_t>* TaskPool::near_slot(const void* address) {
  std::atomic<uint64_t>* table = near_.load(std::memory_order_acquire);  // pairs with the store below
  if (TULLE_UNLIKELY(table == nullptr)) {
    sync::Guard guard(lock_);
    table = near_.load(std::memory_order_relaxed);  // under the lock
    if (table == nullptr) table = static_cast<std::atomic<uint64_t>*>(calloc(kNear, sizeof *table));
    if (table == nullptr) return nullptr;
    near_.store(table, std::memory_order_release);
  }
  return &table[golden_hash(address) >> 54];
}

TaskQueue* TaskPool::near(const void* address) {
  static_assert(kNear == 1 << (64 - 54));
  std::atomic<uint64_t>* slot = near_slot(address);
  if (slot == nullptr) return nullptr;
  uint64_t word = slot->load(std::memory_order_relaxed);  // a hint
  uint32_t number = static_cast<uint32_t>(word) & (kRoom - 1);
  if (word != near_word(address, number) || number >= count_.load(std::memory_order_acquire))
    return nullptr;
  return queue_at(number);
}

void TaskPool::note_near(const void* address, const TaskQueue* queue) {
  std::atomic<uint64_t>* slot = near_slot(address);
  if (slot != nullptr) slot->store(near_word(address, queue->number), std::memory_order_relaxed);
}

bool TaskPool::something_queued() const {
  return something_shared() || something_in_queues();
}

namespace {

bool holds_something(const TaskQueue* queue) {
  return queue->deque.size() != 0 || queue->inbox.load(std::memory_order_relaxed) != nullptr;  // hints
}

bool offers_something(const TaskCluster& cluster) { return any_unraided(cluster, holds_something); }

}  // namespace

bool TaskPool::something_in_queues() const {
  uint32_t count = count_.load(std::memory_order_acquire);  // pairs with queue_of
  for (uint32_t i = 0; i < count; ++i)
    if (holds_something(queue_at(i))) return true;
  return false;
}

bool TaskPool::something_to_steal(const TaskQueue* own) const {
  const TaskCluster* near = own == nullptr ? nullptr : own->cluster.load(std::memory_order_acquire);  // pairs with put_into_cluster_locked
  if (near == nullptr) return something_in_queues();
  if (offers_something(*near)) return true;
  return !near->away.is_taken() && clusters_.load(std::memory_order_relaxed)->any_beside(near, offers_something);
}

bool TaskPool::quiescent() const { return unfinished() == 0; }

uint64_t TaskPool::finished() const {
  uint32_t count = count_.load(std::memory_order_acquire);
  uint64_t sum = external_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i)
    sum += queue_at(i)->finished.load(std::memory_order_acquire);
  return sum;
}

uint64_t TaskPool::unfinished() const {
  uint64_t finished = this->finished(), created = 0;
  // A queue that appeared meanwhile has created tasks that were not there before: read it too.
  uint32_t count = count_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i)
    created += queue_at(i)->created.load(std::memory_order_acquire);
  return created - finished;
}

}  // namespace tulle::omp
