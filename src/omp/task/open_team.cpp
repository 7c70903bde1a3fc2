// SPDX-License-Identifier: Apache-2.0
#include "omp/task/open_team.h"
#include "sched/announce.h"
#include "sched/worker.h"


namespace tulle::omp {

void open_for_tasks(Team* team, sched::Worker* worker) {
  sync::Guard guard(team->announcing);
  if (team->may_reopen.load(std::memory_order_relaxed)) return;
  // In the runqueue of the encountering thread's worker (fork() said which): a foreign thread looks
  // at its own only, and may be the only one that can lend its name. Initial threads have no parent.
  if (team->parent != nullptr) worker = team->holder.load(std::memory_order_relaxed);
  team->announced.store(true, std::memory_order_relaxed);
  sched::announce_for_good(team, worker);
}

void close_for_tasks(Team* team) {
  if (!team->announced.load(std::memory_order_relaxed)) return;
  sched::withdraw(team);
  team->announced.store(false, std::memory_order_relaxed);
  team->may_reopen.store(false, std::memory_order_relaxed);
}

}  // namespace tulle::omp
