// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_bare.h"

#include "ult/sanitizer.h"

namespace tulle::omp {

void end_recorded(Thread* thread) {
  Task* task = thread->task();
  if ((task->bits & kTaskDetachable) == 0) task->group = nullptr;  // it was never counted in one
  leave_body(thread, task);
  end_on_top(thread, task, task->parent);
}

Task* give_record(Thread* thread) {
  Task* parent = thread->task();
  uint32_t bare = parent->bare.load(std::memory_order_relaxed);
  TaskGroup* group = parent->group;
  // Groups of the body's own wait for its children, and not for itself.
  parent->group = nullptr;
  parent->bare.store(0, std::memory_order_relaxed);
  Task* task = new_task(thread, nullptr, 0, 1,
                        (parent->bits & (kTaskUntied | kTaskFinal)) | kTaskUndeferred);
  if ((parent->bits & kTaskMovable) != 0) make_movable(task);
  parent->bare.store(bare, std::memory_order_relaxed);
  parent->group = task->group = group;
  enter_body(thread, task);
  return task;
}

bool has_no_children(const Thread* thread) {
  if (is_bare(thread->task())) return true;
  if (live_children(thread->task()) != 0) return false;
  ult::happens_after(&thread->task()->balance);
  return true;
}

bool in_explicit_task(const Thread* thread) {
  return is_bare(thread->task()) || (thread->task()->bits & kTaskExplicit) != 0;
}

}  // namespace tulle::omp
