// SPDX-License-Identifier: Apache-2.0
// Where a task goes that other than the standard policies have a say in: to a queue that its affinity,
// its priority or the distribution names; behind or before the task that makes it; or nowhere, when
// the cut-off holds. Run by the thread that makes it or satisfies its last dependence.
//
// A maker that waits for consumers stands in a list. It goes on when half of the limit are finished,
// which they look at now and then; or when a worker finds no task that it could run, since what is
// left may wait for the maker: one task is called then, and the next one looks again.
#include <algorithm>

#include "base/look.h"
#include "omp/task_internal.h"
#include "omp/task_policy.h"
#include "omp/task_precedence.h"
#include "os/fence.h"
#include "sched/scheduler.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kLimitEvery = 64;  // tasks between two looks at the limit, a sum over all queues
constexpr uint32_t kMostWaiting = 64;  // makers of a team

// Tasks with dependences stand in no queue that could be full, so the limit alone bounds them.
bool at_limit(Thread* thread, uint32_t limit) {
  TaskQueue* queue = queue_for(thread);
  if (++queue->unlooked < kLimitEvery) return false;
  bool reached = thread->team->tasks.unfinished() >= (queue->pressed ? limit / 2 : limit);
  queue->pressed = reached && task_policies.cutoff == TaskCutoff::work_first;
  // Below the limit all is well for a while; at it each further task is looked at.
  queue->unlooked = reached ? kLimitEvery : 0;
  return reached;
}

TULLE_MAY_SUSPEND void wait_for_consumers(Thread* thread) {
  Team* team = thread->team;
  uint32_t half = task_policies.limit / 2;
  auto done = [=] {
    return team->tasks.unfinished() <= half || !team->tasks.something_queued();
  };
  // Each of them keeps a stack: where all tasks are makers, most had better call what they make.
  if (done() || team->tasks.makers_waiting.load(std::memory_order_relaxed) >= kMostWaiting) return;
  team->tasks.makers_waiting.fetch_add(1, std::memory_order_relaxed);  // relaxed in all: a bound
  offer(team);
  sched::Precedence precedence{precedence_of(thread)};
  team->tasks.makers.wait<false>(done, &precedence);
  team->tasks.makers_waiting.fetch_sub(1, std::memory_order_relaxed);
}

TULLE_MAY_SUSPEND bool cut_off_at(Thread* thread, uint32_t limit) {
  if (task_policies.cutoff == TaskCutoff::none || !at_limit(thread, limit)) return false;
  if (task_policies.cutoff != TaskCutoff::yield) return true;
  wait_for_consumers(thread);
  return self()->team->tasks.unfinished() >= limit;
}

// Nothing but where they stand sets these tasks apart: they are bounded as those in full queues are.
uint32_t limit_for(const Thread* thread, const Task* task) {
  bool standard = thread->task->icv->task_creation == TaskCreation::adaptive &&
                  task_policies.cutoff == TaskCutoff::adaptive && task->priority <= 0;
  return standard ? task_policies.standard_limit : task_policies.limit;
}

void push_own(TaskQueue* queue, Task* task) {
  if (!queue->deque.push_owner(task)) task->team->tasks.push_shared(task);
}

// Runs on the worker that the maker's stack was left on: the maker goes below its new task, where
// thieves look first.
void divert_below(ult::Ult* ult) {
  auto* maker = static_cast<Task*>(ult->kept);
  Task* task = maker->below;
  TaskQueue* queue = task->home;
  Team* team = task->team;
  maker->below = nullptr;
  set_looked_at(maker->resume, ult);
  push_own(queue, maker);
  push_own(queue, task);
  offer(team);
}

// The maker is untied, so nothing else stands in its `below`; the task's home is this worker's queue.
TULLE_MAY_SUSPEND void run_before_maker(Thread* thread, Task* task) {
  thread->task->below = task;
  auto divert = thread->divert;
  thread->divert = divert_below;
  sched::step_aside();
  self()->divert = divert;
}

TaskQueue* choose_queue(Thread* thread, const Task* task) {
  TaskPool& tasks = task->team->tasks;
  TaskQueue* own = queue_for(thread);
  bool in_turn = task_policies.distribution == TaskDistribution::round_robin;
  bool affine = (task->bits & kTaskAffine) != 0;
  if (affine) {
    if (TaskQueue* queue = tasks.near(task->affinity)) return queue;
  } else if (task_policies.distribution == TaskDistribution::adaptive) {
    in_turn = thread->task->depth == 0 && tasks.sole_maker(thread->next_barrier, thread->num);
  }
  if (!in_turn && !affine) return own;
  auto workers = static_cast<uint32_t>(sched::settings().workers);
  TaskQueue* queue = tasks.next_in_turn(own, std::min(workers, task->team->nthreads));
  if (affine) tasks.note_near(task->affinity, queue);
  return queue;
}

}  // namespace

bool cut_off(Thread* thread) { return cut_off_at(thread, task_policies.limit); }

void relieve_makers(Team* team) {
  // Without a fence: who comes too late for this look is seen by the next, or by an idle worker.
  if (team->tasks.makers.empty()) return;
  if (team->tasks.unfinished() <= task_policies.limit / 2) team->tasks.makers.wake_all();
}

void submit_by_policy(Thread* thread, Task* task) {
  bool call = thread->nested_bodies < kNestedBodies && cut_off_at(thread, limit_for(thread, task));
  thread = self();
  if (call) {
    set_looked_at(task->bits, task->bits | kTaskUndeferred);
    defer_task(thread, task);
    return;
  }
  count_created(thread, queue_for(thread));
  begin_by_policy(thread, task);
}

void begin_by_policy(Thread* thread, Task* task) {
  bool work_first = thread->task->icv->task_creation == TaskCreation::work_first;
  if (!work_first || task->priority > 0)
    make_task_ready(thread, task);
  else if (takeable(thread->task) && task->home == queue_for(thread))
    run_before_maker(thread, task);
  else if ((task->bits & kTaskUntied) == 0 && thread->nested_bodies < kNestedBodies)
    run_on_top(thread, task);
  else
    make_task_ready(thread, task);
}

void route_task(Thread* thread, Task* task) {
  TaskPool& tasks = task->team->tasks;
  if (thread == nullptr || thread->team != task->team || task->priority > 0 ||
      task_policies.queues == TaskQueues::global) {
    tasks.push_shared(task);
    return;
  }
  TaskQueue* queue = choose_queue(thread, task);
  if (queue == queue_for(thread)) {
    push_own(queue, task);
    return;
  }
  TaskPool::push_inbox(queue, task);
  os::hot_fence();  // the push before the look; pairs with the sleeper's heavy fence
  if (queue->owner->asleep.load(std::memory_order_relaxed) != 0) sched::wake(queue->owner);
}

}  // namespace tulle::omp
