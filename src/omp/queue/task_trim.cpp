// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_trim.h"

#include <atomic>

#include "sched/publish.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

namespace {

TULLE_HELD_AT_FORK sync::Spinlock lock;
TaskPool* listed TULLE_GUARDED_BY(lock) = nullptr;  // newest first, through TaskPool::next_listed
uint32_t period TULLE_GUARDED_BY(lock) = 0;
std::atomic<uint32_t> begins{0};  // regions that wait for the lock: whoever holds it hurries

bool take_out(const TaskPool* pool) TULLE_UNDER(lock) {
  TaskPool** link = &listed;
  while (*link != nullptr && *link != pool) link = &(*link)->next_listed;
  if (*link == nullptr) return false;
  *link = (*link)->next_listed;
  return true;
}

// The first that stood in the list for a whole period.
TaskPool* oldest() TULLE_UNDER(lock) {
  TaskPool* pool = listed;
  while (pool != nullptr && pool->listed_in == period) pool = pool->next_listed;
  return pool;
}

}  // namespace

void list_for_trim(TaskPool& pool) {
  // Tools keep data with records, and race detectors know records by what happened to them.
  if (tools_may_come || ult::race_detector) return;
  {
    sync::Guard guard(lock);
    pool.listed_in = period;
    pool.next_listed = listed;
    listed = &pool;
    pool.set_listed(true);
  }
  sched::arm_monitor();
}

void unlist_for_trim(TaskPool& pool) {
  begins.fetch_add(1, std::memory_order_relaxed);  // a hint
  {
    sync::Guard guard(lock);
    take_out(&pool);
    pool.set_listed(false);
  }
  begins.fetch_sub(1, std::memory_order_relaxed);
}

bool trim_task_memory() {
  auto wanted = [] { return begins.load(std::memory_order_relaxed) != 0; };
  sync::Guard guard(lock);
  while (TaskPool* pool = oldest()) {
    if (!pool->give_back(wanted)) break;
    take_out(pool);
    pool->set_listed(false);
  }
  ++period;
  return listed != nullptr;
}

}  // namespace tulle::omp
