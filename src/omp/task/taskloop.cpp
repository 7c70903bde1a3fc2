// SPDX-License-Identifier: Apache-2.0
#include "omp/task/taskloop.h"

#include <algorithm>

#include "omp/task/task_bare.h"
#include "omp/thread/team.h"
#include "sched/settings.h"

namespace tulle::omp {

namespace {

// Without a clause: enough tasks that threads can even out what they cost.
constexpr uint64_t kTasksPerThread = 4;

// Where one blocks another one of the same worker goes on with the loop.
constexpr uint32_t kCarriersPerWorker = 4;
constexpr uint32_t kPartsPerCarrier = 8;  // fewer, and each part is queued by itself

TaskloopSplit even(uint64_t trips, uint64_t tasks) {
  tasks = std::min(tasks, trips);
  uint64_t base = trips / tasks;
  return {tasks, base, trips % tasks, base};
}

}  // namespace

TaskloopSplit split_taskloop(uint64_t trips, TaskloopGrain kind, uint64_t grain, bool strict,
                             uint32_t nthreads) {
  grain = std::max<uint64_t>(grain, 1);
  if (kind == TaskloopGrain::num_tasks) return even(trips, grain);
  if (kind == TaskloopGrain::none) return even(trips, nthreads * kTasksPerThread);
  // Each task gets the grain at least, and less than twice of it.
  if (!strict) return even(trips, std::max<uint64_t>(trips / grain, 1));
  uint64_t rest = trips % grain;
  uint64_t tasks = trips / grain + (rest != 0 ? 1 : 0);
  return {tasks, grain, 0, rest != 0 ? rest : grain};
}

uint32_t taskloop_carriers(Thread* thread, uint64_t parts) {
  auto workers = static_cast<uint32_t>(sched::settings().workers);
  uint32_t carriers = std::min(workers, thread->team->nthreads) * kCarriersPerWorker;
  return parts < uint64_t{carriers} * kPartsPerCarrier ? 0 : carriers;
}

bool taskloop_called_at_once(Thread* thread, bool undeferred, int32_t priority) {
  return undeferred || runs_at_once(thread) || (priority <= 0 && calls_all(thread));
}

}  // namespace tulle::omp
