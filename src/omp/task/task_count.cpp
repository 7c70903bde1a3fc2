// SPDX-License-Identifier: Apache-2.0
// How many tasks of a team are made and finished, and who is told when that is all or enough.
#include "omp/task/task_count.h"

#include "arch/cpu.h"
#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/announced_team.h"
#include "omp/task/graph_mode.h"
#include "omp/thread/team.h"
#include "os/report.h"

namespace tulle::omp {

void mark_used(Thread* thread) {
  Team* team = thread->team;
  // In the name of a thread that has not left its barrier yet, a task of a team mate that has: the mark
  // says already that the team is past that barrier. It is seen, for it was set before that task was made.
  std::atomic<uint32_t>& mark = team->tasks.used_before;
  if (mark.load(std::memory_order_relaxed) != thread->next_barrier + 1)
    mark.store(thread->next_barrier, std::memory_order_relaxed);
  if (!team->may_reopen.load(std::memory_order_relaxed)) announce_for_region(team, thread->worker);
}

TaskQueue* find_queue(Thread* thread) {
  (void)graphs_repeat();  // before the policies are set: what it finds is in them
  thread->queue = thread->team->tasks.own_queue_of(thread->worker);
  if (thread->queue == nullptr) os::fatal("no memory for a queue of tasks");
  return thread->queue;
}

void count_finished(Thread* thread, Team* team) {
  if (thread == nullptr || thread->team != team) {
    team->tasks.count_external_finish();
    check_completion(team);
    return;
  }
  add_finished(queue_for(thread), team);
}

void relieve_makers(Team* team) {
  // Without a fence: who comes too late for this look is seen by the next, or by an idle worker.
  if (team->tasks.makers.empty()) return;
  if (team->tasks.unfinished() <= task_policies.limit / 2) team->tasks.makers.wake_all();
}

void complete_barrier(Team* team) {
  {
    // Under the lock both conditions hold together: while all have arrived, nobody leaves.
    sync::Guard guard(team->completing);
    // The thread that ended the last task may look during the next region. The arrivals first: with those of a
    // region its own number is seen; a stale one is met by no arrivals.
    uint32_t arrived = team->arrivals.load(std::memory_order_acquire);  // pairs with the arrivals
    if (arrived != look(team->nthreads)) return;
    if (!team->tasks.quiescent()) return;
    team->arrivals.store(0, std::memory_order_relaxed);  // published by the phase
    team->phase.store(team->phase.load(std::memory_order_relaxed) + 1,
                      std::memory_order_seq_cst);  // pairs with the waiters' loads
  }
  arch::fence_after_atomic();  // the phase before the look at the sleepers
  if (!team->sleepers.empty()) team->sleepers.wake_all();
}

void check_completion(Team* team) {
  arch::full_fence();  // the count before the looks; pairs with the waiters' registration
  if (!team->tasks.quiescent()) return;
  complete_barrier(team);
  if (!team->joiner.empty()) team->joiner.wake_all();
}

}  // namespace tulle::omp
