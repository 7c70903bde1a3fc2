// SPDX-License-Identifier: Apache-2.0
#include "omp/region/guests.h"

#include "omp/data/threadprivate.h"
#include "omp/region/cached_teams.h"
#include "omp/task/announced_team.h"
#include "omp/thread/team.h"
#include "sched/guest.h"
#include "sched/worker.h"

namespace tulle::omp {

namespace {

// What the next regions of the same guest would miss.
bool keeps_something(const Thread* root) {
  return has_own_icv(root) || root->privates != nullptr ||
         root->next_load != 0 || root->team->chosen.load(std::memory_order_relaxed) != nullptr;
}

}  // namespace

Thread* attach_guest() {
  sched::Worker* w = sched::take_guest();
  auto* root = static_cast<Thread*>(w->root);
  if (root == nullptr) {
    root = take_initial_thread();
    make_initial_team(root);
  }
  reset_icv(root);
  sched::begin_guest(w, root, &root->implicit);
  return root;
}

void leave_as_guest(Thread* outer) {
  if (outer->team->parent == nullptr && !keeps_something(outer)) sched::end_guest(outer->home);
}

void guest_ended(void* word) {
  auto* w = static_cast<sched::Worker*>(word);
  if (w->forks != sched::forks_so_far()) return;
  auto* root = static_cast<Thread*>(w->root);
  withdraw_after_region(root->team);
  drop_threadprivates(root);
  root->next_load = 0;
  root->team->chosen.store(nullptr, std::memory_order_relaxed);  // nobody else is in its regions
  sched::give_guest(w);
}

}  // namespace tulle::omp
