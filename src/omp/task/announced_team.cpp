// SPDX-License-Identifier: Apache-2.0
#include "omp/task/announced_team.h"

#include "sched/announce.h"
#include "sched/worker.h"

namespace tulle::omp {

void announce_for_region(Team* team, sched::Worker* worker) {
  sync::Guard guard(team->announcing);
  if (team->may_reopen.load(std::memory_order_relaxed)) return;
  // In the runqueue of the encountering thread's worker (fork() said which): a foreign thread looks
  // at its own only, and may be the only one that can lend its name. Initial threads have no parent.
  if (team->parent != nullptr) worker = team->holder.load(std::memory_order_relaxed);
  team->announced.store(true, std::memory_order_relaxed);
  sched::announce_for_good(team, worker);
}

void withdraw_after_region(Team* team) {
  if (!team->announced.load(std::memory_order_relaxed)) return;
  sched::withdraw(team);
  team->announced.store(false, std::memory_order_relaxed);
  team->may_reopen.store(false, std::memory_order_relaxed);
}

}  // namespace tulle::omp
