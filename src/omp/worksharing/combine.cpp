// SPDX-License-Identifier: Apache-2.0
// Ordering, against members that sleep (as in barrier.cpp):
//   offers, or says that data are taken   store; hot fence; the sleepers. If there are some: wake all
//   sleeps                                push; heavy fence; the words that it waits for
// Whoever sleeps missed a store, and is seen by whoever made it. Each word has one writer.
#include "omp/worksharing/combine.h"

#include "omp/thread/cancelled.h"
#include "omp/thread/meeting_tree.h"
#include "os/fence.h"
#include "sched/wait.h"

namespace tulle::omp {

bool combines_at_tree(const Team* team) { return team->meets_at == MeetAt::tree && !cancellation_enabled(); }

namespace {

// Tasks that were made before the next barrier are run by the loops of workers whose members are suspended.
template <class Done>
TULLE_MAY_SUSPEND void wait_for_word(Team* team, uint32_t barrier, Done done) {
  auto worth_leaving = [=] { return done() || team->tasks.used(barrier); };
  while (!done()) {
    if (!sched::poll(worth_leaving)) sched::poll_patiently(worth_leaving, worth_leaving, 0, sched::durations::kPollOn);
    if (!done()) sched::suspend_once(sched::Rare{team->sleepers}, done);
  }
}

}  // namespace

bool combine_at_tree(Thread* thread, void* data, CombineCopies combine) {
  Team* team = thread->team;
  const auto wait = [team, barrier = thread->next_barrier](auto done) { wait_for_word(team, barrier, done); };
  const auto raised = [team] {
    os::hot_fence();  // before the look at the sleepers; pairs with their heavy fence
    if (TULLE_UNLIKELY(!team->sleepers.empty())) team->sleepers.wake_all();
  };
  return team->tree->reduce(thread->num, data, combine, wait, raised);
}

}  // namespace tulle::omp
