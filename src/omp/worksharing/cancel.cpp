// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/cancel.h"

#include "omp/worksharing/barrier.h"
#include "sched/wait.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kConstructNumbers = 0x7fffffff;

// Not 0, which stands for no construct.
uint32_t mark_of(const Thread* thread) {
  return (thread->next_barrier % kConstructNumbers + 1) << 1;
}

// All members come here, or the region is cancelled: false. The counter is the barrier's own, which
// no member uses at this time; what a cancelled meeting leaves in it is reset at the join.
bool meet_or_be_cancelled(Team* team) {
  uint32_t phase = team->phase.load(std::memory_order_relaxed);  // cannot change before we arrive
  uint32_t arrived = team->arrivals.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (arrived == team->nthreads) {
    complete_phase(team, phase);
    return true;
  }
  auto met = [=] { return team->phase.load(std::memory_order_acquire) != phase; };
  auto done = [=] { return met() || parallel_cancelled(team); };
  sched::wait(team->sleepers, done);
  return met();
}

}  // namespace

bool cancel_parallel(Thread* thread) {
  if (!cancellation_enabled()) return false;
  Team* team = thread->team;
  team->cancelled.fetch_or(kCancelParallel, std::memory_order_seq_cst);
  arch::fence_after_atomic();  // before the look at the sleepers
  if (!team->sleepers.empty()) team->sleepers.wake_all();
  team->work_shares.wake_cancelled();
  return true;
}

bool cancel_workshare(Thread* thread) {
  if (!cancellation_enabled()) return false;
  std::atomic<uint32_t>& word = thread->team->cancelled;
  uint32_t seen = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(seen, mark_of(thread) | (seen & kCancelParallel),
                                     std::memory_order_relaxed)) {
  }
  return true;
}

bool workshare_cancelled(const Thread* thread) {
  uint32_t word = thread->team->cancelled.load(std::memory_order_relaxed);
  return (word & ~uint32_t{kCancelParallel}) == mark_of(thread);
}

// Once all have met, nobody can cancel before everybody has passed the barrier proper.
bool barrier_cancellable(Thread* thread) {
  Team* team = thread->team;
  if (cancellation_enabled() && team->nthreads > 1) {
    if (parallel_cancelled(team) || !meet_or_be_cancelled(team)) return true;
  }
  barrier(thread);
  return parallel_cancelled(team);
}

}  // namespace tulle::omp
