// SPDX-License-Identifier: Apache-2.0
// Making tasks: their records.
#include "omp/task/task.h"

#include "arch/cpu.h"
#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/sibling.h"
#include "omp/task/task_allocation.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_count.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "os/report.h"

namespace tulle::omp {

// Its record had another task before. Then what its maker did is ordered before its begin.
TULLE_COLD static void watch_task(Task* task) {
  set_looked_at(task->bits, task->bits | kTaskWatched);
  ult::happens_after(task);
}

void stop_without_memory(size_t bytes) { os::fatal("no memory for a task of %zu bytes", bytes); }

// All but that the parent counts it.
static void fill_in(Thread* thread, Task* task, Task* parent, TaskFunction function, uint32_t bits) {
  if ((parent->bits & kTaskFinal) != 0) bits |= kTaskFinal | kTaskUndeferred;
  // Outside of any parallel region nobody would come by to run it.
  if (thread->team->level == 0) bits |= kTaskUndeferred;
  task->function = function;
  set_looked_at(task->bits, bits | task_policies.bits);
  set_looked_at(task->depth, parent->depth + 1);
  set_looked_at(task->parent, parent);
  task->site = TaskSites::kNone;
  task->icv = parent->icv;
  task->group = parent->group;
  task->team = thread->team;
  task->float_control = arch::short_float_control();
  if (TULLE_UNLIKELY(ult::race_detector)) watch_task(task);
  if (TULLE_UNLIKELY((bits & kTaskDetachable) != 0))
    task->holds.store(2, std::memory_order_relaxed);  // published with the task
  if (TULLE_UNLIKELY(task->group != nullptr))
    task->group->unfinished.fetch_add(1, std::memory_order_relaxed);
}

void enroll_task(Thread* thread, Task* task, TaskFunction function, uint32_t bits) {
  Task* parent = recorded_task(thread);
  fill_in(thread, task, parent, function, bits);
  ++parent->born;
}

Task* new_sibling_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment,
                       uint32_t bits) {
  Task* task = allocate_task(thread, bytes, alignment);
  Task* parent = thread->task()->parent;
  fill_in(thread, task, parent, function, bits);
  parent->balance.fetch_add(1, std::memory_order_relaxed);  // the current task keeps it alive
  return task;
}

Task* new_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment,
               uint32_t bits) {
  Task* task = allocate_task(thread, bytes, alignment);
  enroll_task(thread, task, function, bits);
  return task;
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

bool in_explicit_task(const Thread* thread) {
  return is_bare(thread->task()) || (thread->task()->bits & kTaskExplicit) != 0;
}

}  // namespace tulle::omp
