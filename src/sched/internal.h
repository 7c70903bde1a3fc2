// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the scheduler only.
#pragma once

#include "os/thread.h"
#include "sched/placed.h"
#include "sched/publish.h"
#include "sched/scheduler.h"
#include "ult/switch.h"

namespace tulle::sched {

inline constexpr uint32_t kMaxWorkers = 4096;

// All workers ever made, by index; entries are never removed.
extern std::atomic<Worker*> all_workers[kMaxWorkers];
extern std::atomic<uint32_t> all_worker_count;

// Whether that is so of any other worker's runqueue.
template <class Offers>
bool another_offers(const Worker* w, Offers offers) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* other = all_workers[i].load(std::memory_order_relaxed);
    if (other != nullptr && other != w && offers(other->queue)) return true;
  }
  return false;
}

// Under the pool's lock; null: no memory, or too many.
Worker* new_worker(WorkerKind kind);
void set_pool_worker(int i, Worker* w);
void set_settings(const Settings& settings);
// In the child after fork(), where null too: none is left.
void forget_workers(Worker* survivor);

// Puts a scheduled entity (held by the caller) into the runqueue where it may run.
void enqueue(Entity* entity);
// The same if a ULT of it may go on, else gives it up: false.
bool enqueue_or_retire(Entity* entity);

// The next ULT that `w` may run of `entity`; null if the entity was handed to the worker that it
// is bound to.
Ult* claim_for(Worker* w, Entity* entity);

// The state that a ULT saved is in force again, on w.
void go_on(Worker* w, Ult* ult);

// The worker's parked loop, parked no more.
inline ult::StackContext take_parked_loop(Worker* w) {
  ult::StackContext loop{w->parked_stack, w->parked_loop};
  w->parked_loop = nullptr;
  return loop;
}

// A fresh stack of the pool becomes the worker's parked loop; it has none. False for no memory.
bool park_fresh_loop(Worker* w);

// Everything that `w` may look for, once.
struct Work {
  Entity* entity = nullptr;
  Seat* seat = nullptr;
  Bubble* bubble = nullptr;
  PlacedThread* part = nullptr;
  bool end = false;  // of the worker's OS thread
  explicit operator bool() const {
    return entity != nullptr || seat != nullptr || bubble != nullptr || part != nullptr || end;
  }
};
// Near: nothing that others would do as well.
enum class Reach : uint8_t { near, far };
Work look_for_work(Worker* w, Reach reach);

extern std::atomic<uint32_t> attached;  // foreign workers. W: pool.cpp, under its lock

// A foreign worker takes part in its own regions only, for its program waits for it: whether there are no others, and
// an entity that it could take. Hints, without a lock.
bool steals_for_region(const Worker* w);
bool some_entity_to_steal(const Worker* w);

// Polls, then sleeps, until there is work for w. Ended: what it ran last was a call that came back.
Work wait_for_work(Worker* w, bool ended);

// Indexes of the other `count` - 1 workers, nearest first in the topology; null: all are equally near,
// or stealing has not come up enough to ask. w itself; kept until there are more workers.
const uint16_t* victims_by_distance(Worker* w, uint32_t count);
void order_by_distance(const Worker* w, uint32_t count, const QueueTree& tree, uint16_t* victims);

Worker* start_spare();

// Futex word: 1 while the pool ends. W: under the pool's lock; R: workers without work, the monitor.
extern std::atomic<uint32_t> pool_ends;

// OS threads that end with the pool. Start: false when the system refuses. End: their last act.
bool start_counted_thread(void* (*entry)(void*), void* argument, os::Signals signals);
void count_thread_end();

// -1: it has not started. W: under the pool's lock, with release.
extern std::atomic<int> pool_size;
// How many workers the pool has; 0: it has not started, too.
inline int pool_size_now() {
  int size = pool_size.load(std::memory_order_acquire);  // pairs with start_pool's store
  return size < 0 ? 0 : size;
}
// Of the next pool.
void set_workers(int workers);
void remember_usable_cpus();

// The monitor's OS thread; false: the system refuses.
bool start_monitor();

void reset_pool_after_fork(bool survivor);
void reset_parking_after_fork();

}  // namespace tulle::sched
