// SPDX-License-Identifier: Apache-2.0
#include "omp/region/alone.h"

#include "omp/region/publish.h"
#include "sched/parking.h"
#include "sched/poller.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kMost = 16;  // threads of a team that are looked at one by one, for each call

// Nobody leaves a barrier to which the caller has not come. Relaxed: what a late look misses is one that could rest.
bool others_wait_at_barrier(const Team* team, const Thread* thread) {
  if (!is_flat(team)) return team->arrivals.load(std::memory_order_relaxed) == team->nthreads - 1;
  for (uint32_t i = 0; i < team->nthreads; ++i) {
    const Thread* other = team->members[i];
    if (other != thread && other->arrived.load(std::memory_order_relaxed) != thread->next_barrier) return false;
  }
  return true;
}

bool others_rest(const Team* team, const Thread* thread) {
  if (team->nthreads == 1) return true;
  if (team->nthreads > kMost || team->placed) return false;
  bool encountered_it = thread->num == 0;  // who alone may count those that have ended
  return (encountered_it && all_finished(team)) || others_wait_at_barrier(team, thread);
}

}  // namespace

bool is_alone(const Thread* thread) {
  const Team* team = thread->team;
  return team->level == 1 && !sched::something_awaited() && !sched::something_waits(thread->worker) &&
         others_rest(team, thread) && team->tasks.quiescent();
}

}  // namespace tulle::omp
