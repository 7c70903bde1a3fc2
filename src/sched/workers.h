// SPDX-License-Identifier: Apache-2.0
// The table of all workers, and those of the pool.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/crew.h"
#include "sched/memory_nodes.h"
#include "sched/worker.h"

namespace tulle::sched {

inline constexpr uint32_t kMaxWorkers = 4096;

// All workers ever made, by index; entries are never removed.
extern TULLE_NEAR std::atomic<Worker*> all_workers[kMaxWorkers];
extern TULLE_NEAR std::atomic<uint32_t> all_worker_count;

// Another worker of the crew whose runqueue that is so of, or of any crew where `w` is null; null: none.
template <class Offers>
Worker* another_offers(const Worker* w, Offers offers) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* other = all_workers[i].load(std::memory_order_relaxed);
    if (other == nullptr || other == w || !offers(other->queue)) continue;
    if (w == nullptr || are_mates(w, other)) return other;
  }
  return nullptr;
}

// Under the pool's lock; null: no memory, or too many. `node`: where it will be (sched/memory_nodes.h).
Worker* new_worker(WorkerKind kind, const Crew* crew = nullptr, int node = kAnyNode);

// In the child after fork(), where null too: none is left.
void forget_workers(Worker* survivor);

// The pool's workers; 1 <= i <= start_pool().
Worker* pool_worker(int i);
void set_pool_worker(int i, Worker* w);

// Futex word: 1 while the pool ends. W: under the pool's lock; R: workers without work, the monitor.
extern TULLE_NEAR std::atomic<uint32_t> pool_ends;

// -1: it has not started. W: under the pool's lock, with release.
extern TULLE_NEAR std::atomic<int> pool_size;
// How many workers the pool has; 0: it has not started, too.
inline int pool_size_now() {
  int size = pool_size.load(std::memory_order_acquire);  // pairs with start_pool's store
  return size < 0 ? 0 : size;
}

uint32_t worker_count();  // made so far, foreign and spare ones included

// How often something was suspended so far. Any OS thread; while workers run it may lag behind.
uint64_t ults_made();
// For how long OS threads were in blocking sections, in nanoseconds, while suspensions were watched. The same.
uint64_t blocked_ns();

// Members carry blocks of their own. W: whoever makes such a team, before it begins.
extern TULLE_NEAR bool members_are_whole;

// Puts the worker's own block in force, taking one for a foreign worker that has none yet: what
// runs from its loop must not run in the block of the OS thread's own frames.
void use_own_tls(Worker* worker);

}  // namespace tulle::sched
