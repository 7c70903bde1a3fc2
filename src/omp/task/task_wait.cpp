// SPDX-License-Identifier: Apache-2.0
// Waiting for tasks: taskwait, taskgroup, taskyield, and the team's end of all tasks.
// A waiting task calls its own children on top of its frames and nothing else: it waits for exactly
// those. Whatever else there is to run, the worker's loop runs on another stack.
#include "omp/task/task_wait.h"

#include "base/look.h"
#include "omp/queue/task_sites.h"
#include "omp/queue/task_trim.h"
#include "omp/task/attention.h"
#include "omp/task/depend.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_count.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_run.h"
#include "omp/task/task_serve.h"
#include "omp/thread/team.h"
#include "sched/blocking.h"
#include "sched/give_way.h"
#include "sched/wait.h"

namespace tulle::omp {

namespace {

// The newest task of this worker's queue, if it is fit.
template <class IsFit>
Task* take_newest(Thread* thread, IsFit is_fit) {
  TaskQueue* queue = queue_for(thread);
  Task* newest = queue->deque.peek_owner();
  // A thief may take and end it between the two looks; the record stays readable.
  if (newest == nullptr || !is_fit(newest)) return nullptr;
  // Tasks with a priority are found by the worker's loop, and so is all else from then on.
  if (TULLE_UNLIKELY(thread->team->tasks.has_urgent(queue))) return nullptr;
  Task* task = queue->deque.pop_owner();
  if (task == nullptr || is_fit(task)) return task;
  push_own(queue, task);
  offer(thread->team);
  return nullptr;
}

Task* take_child(Thread* thread, const Task* parent) {
  return take_newest(thread, [parent](const Task* task) {
    return look(task->parent) == parent && look(task->ult) == nullptr;
  });
}

// At a barrier, which does not end before any of them has: one that may begin above the caller's frames. Untied ones begin on a
// loop's stack, where they can change threads.
bool run_newest_at_barrier(Thread* thread) {
  if (TULLE_UNLIKELY(!has_stack(thread) || ult::keeps_stacks_apart())) return false;
  const Task* constraint = constraint_of(thread);
  Task* task = take_newest(thread, [constraint](const Task* newest) {
    return (look(newest->bits) & (kTaskUntied | kTaskAffine)) == 0 && look(newest->ult) == nullptr && may_run(newest, constraint);
  });
  if (task == nullptr) return false;
  run_on_top(thread, task);
  return true;
}

}  // namespace

void give_way_to_tasks(Team* team) {
  // Offered once it stands in the list: whoever looked before found this name in use, and nobody to wake.
  sched::suspend_once(sched::Turn{team->tasks.yielders}, [team] {
    bool queued = team->tasks.something_queued();
    if (queued) offer(team);
    return !queued;
  });
}

bool run_child(Thread* thread, const Task* parent) {
  look_up();
  if (TULLE_UNLIKELY(!has_stack(thread))) return false;
  if (TULLE_UNLIKELY(ult::keeps_stacks_apart()) && parent->depth == 0) return false;
  Task* child = take_child(thread, parent);
  if (child == nullptr) return false;
  run_on_top(thread, child);
  return true;
}

namespace {

// Polls while no task is queued: the worker's loop begins them, which may find them where a poll does not look, in
// another worker's name.
template <class Done>
TULLE_MAY_SUSPEND void wait_for_tasks(Team* team, sched::WaitList& teller, Done done) {
  auto worth_leaving = [team, done] { return done() || team->tasks.something_queued(); };
  while (!done()) {
    if (!sched::poll(worth_leaving) || !done()) sched::suspend_once(teller, done);
  }
}

}  // namespace

// Others run children of the current task. Apart from taskwait(), whose frames stay below each child that it calls.
TULLE_MAY_SUSPEND TULLE_NOINLINE static void wait_for_others(Task* parent) {
  auto done = [parent] {
    account_children(parent);
    return no_child_alive(parent->balance.load(std::memory_order_acquire));  // pairs with end_task
  };
  // Breadth first a child may stand behind thousands: others go first at once.
  if (TULLE_UNLIKELY(parent->icv->task_creation == TaskCreation::breadth_first))
    return wait_for_tasks(parent->team, parent->waiter, done);
  sched::wait(parent->waiter, done, [parent] { return run_child(self(), parent); });
}

void taskwait(Thread* thread) {
  Task* parent = thread->task();
  if (is_bare(parent)) return;
  look_up();
  if (parent->depth == 0) {
    thread->descent = kDescent;
    end_stretch(thread);
  }
  // Children that were called need not be accounted for, which is an atomic operation.
  while (live_children(parent) != 0 && run_child(self(), parent)) {
  }
  if (live_children(parent) != 0) wait_for_others(parent);
  thread = self();
  if (parent->depth != 0) thread->descent = 0;
  ult::happens_after(&parent->balance);
  if (TULLE_UNLIKELY(parent->table != nullptr)) after_waiting(thread, parent);
}

void taskgroup_begin(Thread* thread, TaskGroup* group) {
  // Its end waits for descendants, which are known by the records above them.
  Task* task = recorded_task(thread);
  group->outer = task->group;
  task->group = group;
}

void taskgroup_end(Thread* thread) {
  look_up();
  Task* task = thread->task();
  TaskGroup* group = task->group;
  while (group->unfinished.load(std::memory_order_acquire) > 1 && run_child(self(), task)) {
  }
  if (group->unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1)
    sched::wait(group->complete, [group] { return group->complete.happened(); });
  if (task->depth != 0)
    self()->descent = 0;
  else
    end_stretch(self());
  ult::happens_after(group);
  task->group = group->outer;
}

void taskyield(Thread* thread) {
  look_up();
  const Task* task = thread->task();
  if (task->depth == 0)
    end_stretch(thread);
  else if (!is_bare(task))
    task_sites.note_yield(task->site);
  if (thread->team->tasks.something_queued()) {
    give_way_to_tasks(thread->team);
    return;
  }
  wake_yielders(thread->team);
  sched::yield();
}

bool give_way() {
  sched::Worker* w = sched::worker_in_region();
  if (w == nullptr || w->blocking_depth != 0 || sched::is_inside_library()) return false;
  sched::give_way(w, in_explicit_task(self()) ? sched::Name::kept : sched::Name::free);
  return true;
}

void finish_tasks(Thread* thread) {
  Team* team = thread->team;
  wait_for_tasks(team, team->joiner, [team] { return team->tasks.quiescent(); });
  ult::happens_after(&team->sleepers);
}

// What dependences left with the members is theirs until they begin again. The next region makes the team fit.
void leave_burst(Thread* thread) {
  Team* team = thread->team;
  for (uint32_t i = 0; i < team->nthreads; ++i) {
    Task* implicit = &team->members[i]->implicit;
    if (implicit->table != nullptr) free_dependence_table(thread, implicit);
  }
  team->meets_at = MeetAt::anew;
  list_for_trim(team->tasks);
}

void run_tasks_at_barrier(Thread* thread, uint32_t phase) {
  Team* team = thread->team;
  // Until something else waits for this worker: its loop knows who is first.
  while (!sched::something_waits(self()->worker) && !sched::something_awaited() && run_newest_at_barrier(self())) {
  }
  check_completion(team);
  auto done = [team, phase] {
    if (team->phase.load(std::memory_order_acquire) != phase) return true;
    if (team->arrivals.load(std::memory_order_acquire) != team->nthreads || !team->tasks.quiescent())
      return false;
    complete_barrier(team);
    return team->phase.load(std::memory_order_acquire) != phase;
  };
  // The others may be at the last of theirs.
  if (sched::something_waits(self()->worker) || !sched::look_eagerly(done)) wait_for_tasks(team, team->sleepers, done);
}

}  // namespace tulle::omp
