// SPDX-License-Identifier: Apache-2.0
#include "sched/shared_core.h"

#include "os/clock.h"
#include "sched/durations.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

constexpr int kMostCpus = 4096;

// The index of the worker that waited last at each CPU, and 1; 0: none did. Written where that changes, which is
// seldom where each has a core of its own. Relaxed: hints.
std::atomic<uint16_t> waited_at[kMostCpus];

// So many of a worker's next waits take its core for shared. W: itself.
uint8_t shared_looks[kMaxWorkers];

}  // namespace

bool shares_core(Worker* w) {
  int cpu = os::core_in_use();
  if (cpu < 0 || cpu >= kMostCpus) return false;
  auto mine = static_cast<uint16_t>(w->index + 1);
  uint16_t last = waited_at[cpu].load(std::memory_order_relaxed);
  if (TULLE_LIKELY(last == mine)) {
    if (TULLE_LIKELY(shared_looks[w->index] == 0)) return false;
    --shared_looks[w->index];
    return true;
  }
  waited_at[cpu].store(mine, std::memory_order_relaxed);
  if (last != 0) shared_looks[w->index] = durations::kSharedLooks;
  return last != 0;
}

}  // namespace tulle::sched
