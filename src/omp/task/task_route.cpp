// SPDX-License-Identifier: Apache-2.0
// A task that other than the standard policies have a say in: it goes to a queue, behind or before the task
// that makes it, or is called, when the cut-off holds.
#include "omp/task/task_route.h"

#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/task_count.h"
#include "omp/task/task_limit.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "sched/suspend.h"

namespace tulle::omp {

namespace {

// Nothing but where they stand sets these tasks apart: they are bounded as those in full queues are.
uint32_t limit_for(const Thread* thread, const Task* task) {
  bool standard = thread->task()->icv->task_creation == TaskCreation::adaptive &&
                  task_policies.cutoff == TaskCutoff::adaptive && task->priority <= 0;
  return standard ? task_policies.standard_limit : task_policies.limit;
}

// Runs on the worker that the maker's stack was left on: the maker goes below its new task, where
// thieves look first.
void queue_below(sched::Ult* ult) {
  auto* maker = static_cast<Task*>(ult->frame);
  Task* task = maker->next;
  TaskQueue* queue = task->home;
  Team* team = task->team;
  maker->next = nullptr;
  set_looked_at(maker->ult, ult);
  push_own(queue, maker);
  push_own(queue, task);
  offer(team);
}

// Nothing else uses the maker's link; the task's home is this worker's queue.
TULLE_MAY_SUSPEND void run_before_maker(Thread* thread, Task* task) {
  Task* maker = thread->task();
  maker->next = task;
  sched::OnReady on_ready = maker->on_ready;
  maker->on_ready = queue_below;
  sched::step_aside();
  maker->on_ready = on_ready;
}

}  // namespace

void submit_by_policy(Thread* thread, Task* task) {
  bool call = has_stack(thread) && cut_off(thread, limit_for(thread, task));
  thread = self();
  if (call) {
    set_looked_at(task->bits, task->bits | kTaskUndeferred);
    if (counted(task->bits)) count_created(thread, queue_for(thread));
    run_on_top(thread, task);
    return;
  }
  count_created(thread, queue_for(thread));
  begin_by_policy(thread, task);
}

void begin_by_policy(Thread* thread, Task* task) {
  bool work_first = thread->task()->icv->task_creation == TaskCreation::work_first;
  if (!work_first || task->priority > 0)
    make_task_ready(thread, task);
  else if (takeable(thread->task()) && task->home == queue_for(thread))
    run_before_maker(thread, task);
  else if ((task->bits & kTaskUntied) == 0 && has_stack(thread))
    run_on_top(thread, task);
  else
    make_task_ready(thread, task);
}

}  // namespace tulle::omp
