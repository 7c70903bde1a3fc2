// SPDX-License-Identifier: Apache-2.0
#include "sched/workers.h"

#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "sched/worker.h"


namespace tulle::sched {

std::atomic<Worker*> all_workers[kMaxWorkers];
std::atomic<uint32_t> all_worker_count{0};
std::atomic<Crew*> newest_crew{nullptr};
std::atomic<int> pool_size{-1};
std::atomic<uint32_t> pool_ends{0};
bool members_are_whole = false;

namespace {

Worker* pool_members[kMaxWorkers];  // W: under the pool's lock, before its size is published

uint64_t sum_of(std::atomic<uint64_t> Worker::* statistic) {
  uint64_t sum = 0;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed)) sum += (w->*statistic).load(std::memory_order_relaxed);
  return sum;
}

}  // namespace

Worker* new_worker(WorkerKind kind, const Crew* crew, int node) {
  uint32_t index = all_worker_count.load(std::memory_order_relaxed);  // under the pool's lock
  if (index >= kMaxWorkers) return nullptr;
  void* memory = allocate_at_node(node, alignof(Worker), sizeof(Worker));
  if (memory == nullptr) return nullptr;
  auto* w = new (memory) Worker;
  w->index = index;
  w->kind = kind;
  w->crew.store(crew, std::memory_order_relaxed);
  all_workers[index].store(w, std::memory_order_release);  // pairs with wake_any
  all_worker_count.store(index + 1, std::memory_order_release);  // pairs with the thieves' loads
  return w;
}

Worker* pool_worker(int i) { return pool_members[i]; }
void set_pool_worker(int i, Worker* w) { pool_members[i] = w; }

int workers_now(const Crew* crew) { return TULLE_LIKELY(crew == nullptr) ? pool_size_now() : crew->size; }

Worker* worker_of(const Crew* crew, int i) {
  return TULLE_LIKELY(crew == nullptr) ? pool_worker(i) : crew->members[i - 1];
}

uint32_t worker_count() { return all_worker_count.load(std::memory_order_relaxed); }

uint64_t ults_made() { return sum_of(&Worker::ults_made); }
uint64_t blocked_ns() { return sum_of(&Worker::blocked_ns); }

void use_own_tls(Worker* w) {
  if (TULLE_UNLIKELY(w->own_tls == 0)) {
    w->lent_tls = ult::take_tls_block();
    // Without another OS thread's block the work runs in this thread's own.
    w->own_tls = w->lent_tls != nullptr ? w->lent_tls->base : w->native_tls;
  }
  use_tls(w, w->own_tls);
}

void forget_workers(Worker* survivor) {
  uint32_t count = all_worker_count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    all_workers[i].store(nullptr, std::memory_order_relaxed);
    pool_members[i] = nullptr;
  }
  all_workers[0].store(survivor, std::memory_order_relaxed);
  all_worker_count.store(survivor != nullptr ? 1 : 0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
