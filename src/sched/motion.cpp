// SPDX-License-Identifier: Apache-2.0
#include "sched/motion.h"

#include <algorithm>

#include "os/thread.h"
#include "sched/durations.h"
#include "sched/settings.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

// A worker that has run for long without a step spins; one that sleeps in the kernel or has not got its core may go
// on, and so may one that was woken. Relaxed in all: asked again.
Motion motion_of(const Worker* w) {
  if (!w->busy.load(std::memory_order_relaxed)) {
    bool looks = w->takes_work.load(std::memory_order_relaxed) && settings().spin_ns != kEndless &&
                 w->asleep.load(std::memory_order_relaxed) == 0;
    return looks ? Motion::onwards : Motion::none;
  }
  Entity* running = w->running.load(std::memory_order_relaxed);
  if (w->kind == WorkerKind::foreign && (running == nullptr || running == look(w->root))) return Motion::outside;
  if (w->stuck_ticks.load(std::memory_order_relaxed) == 0) return Motion::onwards;
  return ran_since(w, os::cpu_time_of(w->kernel_id.load(std::memory_order_relaxed))) ? Motion::in_place
                                                                                    : Motion::onwards;
}

}  // namespace

bool ran_since(const Worker* w, uint64_t cpu_time) {
  return cpu_time - w->cpu_time_seen.load(std::memory_order_relaxed) >=
         settings().monitor_tick_ns * (durations::kRunningTicks - 1);
}

bool lacks_core(const Worker* w, uint64_t before, uint64_t enough) {
  int kernel_id = w->kernel_id.load(std::memory_order_relaxed);
  return w->busy.load(std::memory_order_relaxed) && os::cpu_time_of(kernel_id) - before < enough &&
         !os::is_blocked_in_kernel(kernel_id);
}

Motion motion() {
  Motion most = Motion::none;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i)
    if (const Worker* w = all_workers[i].load(std::memory_order_relaxed)) most = std::max(most, motion_of(w));
  return most;
}

}  // namespace tulle::sched
