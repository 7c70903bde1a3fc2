// SPDX-License-Identifier: Apache-2.0
#include "sched/outside_spin.h"

#include <algorithm>

#include "os/clock.h"
#include "os/thread.h"
#include "sched/motion.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

// W: monitor. By the workers' indices.
uint64_t ticked_at = 0;
uint64_t cpu_time_at_tick[kMaxWorkers];
OutsideSpin spins[kMaxWorkers];

template <class Visit>
void visit_workers(Visit visit) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed)) visit(w);
}

// Relaxed in all: hints.
bool is_outside(const Worker* w) {
  const Entity* running = w->running.load(std::memory_order_relaxed);
  return w->kind == WorkerKind::foreign && w->guests != Guests::itself && (running == nullptr || running == w->root);
}

// In a signal handler.
bool some_region_lasts() {
  bool lasts = false;
  visit_workers([&](const Worker* w) {
    lasts = lasts || (w->kind == WorkerKind::foreign && !is_outside(w));
  });
  return lasts;
}

// Of the workers that have members to run some had less than three quarters of a core since the last tick.
bool cores_are_short(uint64_t period) {
  bool are_short = false;
  visit_workers([&](Worker* w) {
    if (is_outside(w) || !w->busy.load(std::memory_order_relaxed)) return;
    uint64_t now = os::cpu_time_of(w->kernel_id.load(std::memory_order_relaxed));
    are_short = are_short || lacks_core(w, cpu_time_at_tick[w->index], period / 4 * 3);
    cpu_time_at_tick[w->index] = now;
  });
  return are_short;
}

}  // namespace

// Once is chance.
void OutsideSpin::note(uint64_t digest) {
  if (std::find(recent_, recent_ + os::Leave::kMost, digest) != recent_ + os::Leave::kMost)
    leave_.places[next_place_++ % os::Leave::kMost].store(digest, std::memory_order_relaxed);
  else
    recent_[next_recent_++ % os::Leave::kMost] = digest;
}

void OutsideSpin::tick(int kernel_id, uint64_t period, bool (*lasts)()) {
  leave_.lasts = lasts;
  uint64_t answer = leave_.answer.exchange(0, std::memory_order_relaxed);
  if (answer != 0 && answer != os::kInSystemCall && answer != os::kLeft) note(answer);
  uint64_t cpu_time = os::cpu_time_of(kernel_id);
  bool runs = cpu_time - cpu_time_ > period / 4;
  cpu_time_ = cpu_time;
  // One that is on leave finds the next one at its end.
  if (runs || answer == os::kLeft) os::ask_to_leave(kernel_id, leave_);
}

void tick_outside_spins(bool members_wait) {
  uint64_t now = os::now(), period = now - ticked_at;
  ticked_at = now;
  if (!members_wait) return;
  bool some_outside = false;
  visit_workers([&](const Worker* w) { some_outside = some_outside || is_outside(w); });
  if (!some_outside || !cores_are_short(period)) return;
  visit_workers([&](Worker* w) {
    if (is_outside(w)) spins[w->index].tick(w->kernel_id.load(std::memory_order_relaxed), period, some_region_lasts);
  });
}

}  // namespace tulle::sched
