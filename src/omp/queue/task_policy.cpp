// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_policy.h"

#include <algorithm>
#include <atomic>

#include "base/look.h"
#include "omp/queue/task_pool.h"
#include "sched/settings.h"
#include "sync/spinlock.h"

namespace tulle::omp {

TaskPolicies task_policies;

namespace {

// Tasks of one maker in its queue for each worker, before it runs new ones itself.
constexpr uint32_t kQueuedPerWorker = 32;
constexpr uint32_t kQueuedAtLeast = 64;
constexpr uint32_t kQueuedDeep = 2;

TULLE_HELD_AT_FORK sync::Spinlock setting;
bool set TULLE_GUARDED_BY(setting) = false;
std::atomic<bool> waits_outside{false};  // W: under `setting`; R: any, relaxed: who looks late waits as before
uint32_t lookers TULLE_GUARDED_BY(setting) = 0;
bool observed TULLE_GUARDED_BY(setting) = false;

void fill(TaskPolicy& policy, uint32_t limit) {
  for (uint32_t& queued : policy.queued) queued = limit;
}

// Few are enough where tasks make tasks: those that were queued first are the largest, and thieves who find few
// ask for more. In a binary tree of depth 10 a limit of 4 keeps 45 % of the tasks, at 40 ns each, one of 2 keeps 5 %.
void fill_by_depth(TaskPolicy& policy, uint32_t limit) {
  policy.queued[0] = limit;
  for (uint32_t depth = 1; depth <= TaskPolicy::kDepths; ++depth)
    policy.queued[depth] = std::max(limit >> (2 * depth - 1), kQueuedDeep);
}

TaskPolicy& of(TaskCreation creation) {
  return task_policies.by_creation[static_cast<uint32_t>(creation)];
}

// Makers may be looking: they act by the old or the new policy.
void never_call_shallow(TaskPolicy& policy) TULLE_UNDER(setting) {
  constexpr uint32_t kShallow = 2;
  set_looked_at(task_policies.standard_limit, task_policies.limit);
  for (uint32_t depth = 0; depth < kShallow; ++depth) set_looked_at(policy.queued[depth], TaskPolicy::kNever);
  set_looked_at(policy.special, true);
}

// Under `setting`.
void set_bit(uint32_t bit, bool on) {
  uint32_t others = task_policies.bits & ~bit;
  set_looked_at(task_policies.bits, on ? others | bit : others);
}

}  // namespace

void set_task_policies() {
  sync::Guard guard(setting);
  if (set) return;
  set = true;
  const GlobalIcv& icv = global_icv();
  TaskPolicies& policies = task_policies;
  auto workers = static_cast<uint32_t>(sched::settings().workers);
  policies.limit = std::max(icv.task_limit.value, 1u);
  policies.standard_limit = std::min(policies.limit, workers * TaskQueue::kCapacity);
  policies.queues = icv.task_queues.value;
  policies.distribution = icv.task_distribution.value;
  policies.cutoff = icv.task_cutoff.value;
  bool routed =
      policies.queues != TaskQueues::partitioned || policies.distribution != TaskDistribution::own;
  uint32_t bits = kTaskExplicit;
  if (routed) bits |= kTaskRouted;
  if (icv.cancellation.value) bits |= kTaskCancellable;
  if (lookers != 0) bits |= kTaskLookedAt;
  if (observed) bits |= kTaskObserved;
  set_looked_at(policies.bits, bits);

  // The maker's queue tells how many wait only where all that it makes stand there; and a cut-off of
  // another kind is to decide.
  TaskPolicy& adaptive = of(TaskCreation::adaptive);
  bool special = routed || policies.cutoff != TaskCutoff::adaptive;
  if (special)
    fill(adaptive, TaskPolicy::kNever);
  else
    fill_by_depth(adaptive,
                std::clamp(workers * kQueuedPerWorker, kQueuedAtLeast, TaskQueue::kCapacity));
  adaptive.by_length = !special;
  set_looked_at(adaptive.special, special);
  fill(of(TaskCreation::breadth_first), TaskPolicy::kNever);
  fill(of(TaskCreation::work_first), 0);
  if (expects_waits_outside()) never_call_shallow(adaptive);
}

void look_at_tasks(bool begins) {
  sync::Guard guard(setting);
  if (begins ? lookers++ == 0 : --lookers == 0) set_bit(kTaskLookedAt, begins);
}

void observe_tasks(bool any) {
  sync::Guard guard(setting);
  observed = any;
  set_bit(kTaskObserved, any);
}

void expect_waits_outside() {
  sync::Guard guard(setting);
  if (expects_waits_outside()) return;
  waits_outside.store(true, std::memory_order_relaxed);
  if (set) never_call_shallow(of(TaskCreation::adaptive));
}

bool expects_waits_outside() { return waits_outside.load(std::memory_order_relaxed); }

}  // namespace tulle::omp
