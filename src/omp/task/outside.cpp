// SPDX-License-Identifier: Apache-2.0
#include "omp/task/outside.h"

#include "base/look.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_internal.h"
#include "omp/queue/task_policy.h"
#include "sched/poller.h"
#include "sched/wait.h"

namespace tulle::omp {

bool others_wait(const Thread* thread) {
  return sched::something_waits(thread->worker) || thread->team->tasks.something_queued();
}

void wait_outside(Thread* thread, sched::Event& event) {
  if (event.happened()) return;
  Task* task = thread->task()->depth == 0 && !is_bare(thread->task()) ? nullptr : recorded_task(thread);
  if (task != nullptr) add_bare(task, Task::kOutside);
  sched::await_begin();
  sched::suspend_once(sched::Aside{event}, [&event] { return event.happened(); });
  sched::await_end();
  if (task != nullptr) add_bare(task, -Task::kOutside);
}

Task* hold_end(Thread* thread) {
  Task* task = recorded_task(thread);
  if (task->depth == 0) return nullptr;
  if ((task->bits & kTaskDetachable) != 0) {
    task->holds.fetch_add(1, std::memory_order_relaxed);  // the body holds it too
    return task;
  }
  if ((task->bits & kTaskUndeferred) != 0) count_created(thread, queue_for(thread));
  // A body that was given a record (task_bare.h) counts in no group yet; those that it has opened are its own.
  TaskGroup* group = task->function == nullptr ? task->parent->group : nullptr;
  if (group != nullptr) group->unfinished.fetch_add(1, std::memory_order_relaxed);  // its end comes after
  task->holds.store(2, std::memory_order_relaxed);  // handed on by whatever tells of the hold
  set_looked_at(task->bits, task->bits | kTaskDetachable);
  return task;
}

}  // namespace tulle::omp
