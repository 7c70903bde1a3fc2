// SPDX-License-Identifier: Apache-2.0
// Cancellation of taskgroups (OpenMP 5.2 §11.2): tasks that have not begun are dropped.
#include "omp/task/task_cancel.h"

#include "base/look.h"
#include "omp/thread/cancelled.h"

namespace tulle::omp {

namespace {

// The group that `cancel taskgroup` names: a task of a hidden group is one of the groups around it, too.
TaskGroup* of_program(TaskGroup* group) {
  while (group != nullptr && group->hidden) group = group->outer;
  return group;
}

}  // namespace

bool cancel_taskgroup(Thread* thread) {
  TaskGroup* group = of_program(thread->task()->group);
  if (!global_icv().cancellation.value || group == nullptr) return false;
  group->cancelled.store(true, std::memory_order_relaxed);  // seen in time or not
  return true;
}

bool taskgroup_cancelled(Thread* thread) {
  TaskGroup* group = of_program(thread->task()->group);
  return group != nullptr && group->cancelled.load(std::memory_order_relaxed);
}

void never_drop(Task* task) { set_looked_at(task->bits, task->bits & ~kTaskCancellable); }

bool task_cancelled(const Task* task) {
  TaskGroup* group = of_program(task->group);
  return (group != nullptr && group->cancelled.load(std::memory_order_relaxed)) ||
         parallel_cancelled(task->team);
}

}  // namespace tulle::omp
