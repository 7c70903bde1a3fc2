// SPDX-License-Identifier: Apache-2.0
// Three barriers in one. A flat team, each member on a worker of its own, meets at its members' flags:
// each writes its own and reads the others', one cache-line transfer instead of two; a large one at a
// tree of flags (omp/thread/meeting_tree.h). Other teams, and any team that has explicit tasks, meet at a counter.
//
// All agree on which it is: tasks are marked with the number of the barrier before which they were
// made, the mark is ordered before the maker's flag, so whoever has seen all flags sees the mark.
//
// At the tree, against members that sleep:
//   arrives, or raises a word   store; hot fence; the sleepers. If there are some: full fence, all parts above it (a
//                               full fence after each word that it raises); all have come? wake all
//   sleeps                      push; heavy fence; all parts above it likewise; all have come? wake all
// Whoever sleeps missed a flag or a word, and is seen by whoever stores that.
#include "omp/worksharing/barrier.h"

#include "base/look.h"
#include "omp/task/attention.h"
#include "omp/task/task_wait.h"
#include "omp/thread/meeting_tree.h"
#include "os/fence.h"
#include "sched/wait.h"

namespace tulle::omp {

namespace {

bool reached(uint32_t count, uint32_t barrier) { return static_cast<int32_t>(count - barrier) >= 0; }

bool all_arrived(const Team* team, uint32_t barrier) {
  for (uint32_t i = 0; i < team->nthreads; ++i)
    if (!reached(team->members[i]->arrived.load(std::memory_order_acquire), barrier)) return false;
  return true;
}

// All flags are up: true; tasks were made before this barrier: false, and the counter decides.
bool meet_at_flags(Team* team, Thread* thread, uint32_t barrier) {
  thread->arrived.store(barrier, std::memory_order_release);  // pairs with the loads in all_arrived
  os::hot_fence();  // the flag before the look at the sleepers; pairs with their heavy fence
  if (TULLE_UNLIKELY(!team->sleepers.empty())) {
    arch::full_fence();  // of two last arrivals at least one sees the other's flag
    if (all_arrived(team, barrier)) team->sleepers.wake_all();
  }
  auto done = [=] { return all_arrived(team, barrier) || team->tasks.used(barrier); };
  sched::wait(sched::Rare{team->sleepers}, done);
  return !team->tasks.used(barrier);
}

// All parts above the member, whoever leads them; who raises a word that others slept for wakes them.
bool all_are_here(Team* team, uint32_t member, uint32_t barrier) {
  if (!team->tree->advance_whole(member, barrier, [] { arch::full_fence(); })) return false;
  if (!team->sleepers.empty()) team->sleepers.wake_all();
  return true;
}

// A flag or word was stored, which somebody may sleep for.
TULLE_INLINE void note_stored(Team* team, uint32_t member, uint32_t barrier) {
  os::hot_fence();  // before the look at the sleepers; pairs with their heavy fence
  if (TULLE_LIKELY(team->sleepers.empty())) return;
  arch::full_fence();  // of two last stores at least one sees the other
  all_are_here(team, member, barrier);
}

// As meet_at_flags. Out of line, where its registers are not saved for small teams.
TULLE_MAY_SUSPEND TULLE_NOINLINE bool meet_at_tree(Team* team, Thread* thread, uint32_t barrier) {
  MeetingTree* tree = team->tree;
  const uint32_t member = thread->num;
  tree->arrive(member, barrier);
  note_stored(team, member, barrier);
  auto own_part = [=] {
    return tree->advance(member, barrier, [=] { note_stored(team, member, barrier); }) || team->tasks.used(barrier);
  };
  auto whole = [=] { return all_are_here(team, member, barrier) || team->tasks.used(barrier); };
  if (!sched::poll(own_part) && !sched::poll_patiently(own_part, whole, sched::durations::kStartGrace))
    while (!whole()) sched::suspend_once(sched::Rare{team->sleepers}, whole);
  return !team->tasks.used(barrier);
}

bool meet_flat(Team* team, Thread* thread, uint32_t barrier) {
  if (TULLE_UNLIKELY(team->meets_at == MeetAt::tree)) return meet_at_tree(team, thread, barrier);
  return meet_at_flags(team, thread, barrier);
}

// For race detectors: what is ordered by this barrier, apart from what is by the next.
const void* key_of(const Team* team, uint32_t barrier) {
  return barrier % 2 == 0 ? &team->phase : &team->arrivals;
}

// All members came before, and all tasks ended.
TULLE_COLD void note_passed(const Team* team, uint32_t barrier) {
  ult::happens_after(key_of(team, barrier));
  ult::happens_after(&team->sleepers);
}

void meet_at_counter(Team* team, Thread* thread) {
  if (TULLE_UNLIKELY(ult::race_detector)) ult::happens_before(key_of(team, thread->next_barrier));
  uint32_t phase = team->phase.load(std::memory_order_relaxed);  // cannot change before we arrive
  uint32_t arrived = team->arrivals.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (TULLE_UNLIKELY(team->tasks.used(thread->next_barrier))) {
    run_tasks_at_barrier(thread, phase);
    return;
  }
  if (arrived == team->nthreads) {
    complete_phase(team, phase);
    return;
  }
  auto done = [=] {
    return team->phase.load(std::memory_order_acquire) != phase ||
           team->tasks.used(thread->next_barrier);
  };
  sched::wait(team->sleepers, done);
  if (team->phase.load(std::memory_order_acquire) == phase) run_tasks_at_barrier(thread, phase);
}

}  // namespace

void complete_phase(Team* team, uint32_t phase) {
  {
    // The thread that ended a task of an earlier barrier may look late whether that one is complete, and
    // find all arrived: one of the two completes this one.
    sync::Guard guard(team->completing);
    if (team->phase.load(std::memory_order_relaxed) == phase) {
      team->arrivals.store(0, std::memory_order_relaxed);        // published by the phase
      team->phase.store(phase + 1, std::memory_order_seq_cst);  // pairs with the waiters' loads
    }
  }
  arch::fence_after_atomic();  // the phase before the look at the sleepers
  if (!team->sleepers.empty()) team->sleepers.wake_all();
}

void barrier(Thread* thread) {
  look_up();
  Team* team = thread->team;
  uint32_t barrier = thread->next_barrier;
  if (team->nthreads == 1) {
    if (TULLE_UNLIKELY(team->tasks.used(barrier))) finish_tasks(thread);
  } else if (!is_flat(team) || !meet_flat(team, thread, barrier)) {
    meet_at_counter(team, thread);
    if (TULLE_UNLIKELY(ult::race_detector)) note_passed(team, barrier);
  }
  set_looked_at(thread->next_barrier, barrier + 1);
}

}  // namespace tulle::omp
