// SPDX-License-Identifier: Apache-2.0
#include "omp/region/spinning.h"

#include <atomic>

#include "omp/thread/team.h"
#include "sched/scheduler.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kRoom = 64;

// Codes of regions seen to spin, first come first; only ever added. W: the monitor.
std::atomic<const void*> codes[kRoom];
std::atomic<uint32_t> count{0};

bool seen_to_spin(const void* code) {
  uint32_t known = count.load(std::memory_order_acquire);  // pairs with note_spinning
  for (uint32_t i = 0; i < known; ++i)
    if (codes[i].load(std::memory_order_relaxed) == code) return true;
  return false;
}

}  // namespace

void note_spinning(sched::Entity* entity) {
  // The thread may have gone on since; its record and its team's stay readable.
  Team* team = static_cast<Thread*>(entity)->team;
  if (team == nullptr || team->active_level < 2 || team->nthreads < 2) return;
  // It may have called tasks all the time, which count as no decision.
  if (team->may_reopen.load(std::memory_order_relaxed)) return;  // relaxed: the monitor looks again
  if (!global_icv().learns.value) return;
  const void* code = team->code;
  uint32_t known = count.load(std::memory_order_relaxed);
  if (seen_to_spin(code) || known == kRoom) return;
  codes[known].store(code, std::memory_order_relaxed);
  count.store(known + 1, std::memory_order_release);
}

uint32_t size_if_spinning(Thread* outer, const RegionRequest& request, uint32_t n) {
  if (count.load(std::memory_order_relaxed) == 0 || icv_of(outer).sizes_fixed) return n;
  const void* code =
      request.code != nullptr ? request.code : reinterpret_cast<const void*>(request.function);
  return seen_to_spin(code) ? 1 : n;
}

void start_together_if_spinning(Team* team) {
  if (count.load(std::memory_order_relaxed) != 0 && seen_to_spin(team->code))
    sched::call_spares(team->nthreads - 1);
}

}  // namespace tulle::omp
