// SPDX-License-Identifier: Apache-2.0
// Bare calls: the body of an undeferred child is called without a record, on top of its parent's
// frames, and the parent's record stays the current one. Task::bare counts such bodies. A bare body
// gets a record, between it and its parent, when it does what needs one: it makes a child with a record,
// sets a control variable, or owns a lock. So a body without a record has no children. W: whoever runs
// the parent.
#pragma once

#include "omp/task_internal.h"

namespace tulle::omp {

// Whether a child with these TaskBits can do without a record: control variables, final and the rules
// for tied tasks are its parent's.
inline bool can_be_bare(const Task* parent, uint32_t bits) {
  bool becomes_final = (bits & ~parent->bits & kTaskFinal) != 0;
  bool tied_on_untied = (~bits & parent->bits & kTaskUntied) != 0;
  return !becomes_final && !tied_on_untied;
}

// Relaxed: the holder of the thread alone writes it; servers of tasks look as a hint.
inline void add_bare(Task* task, uint32_t count) {
  task->bare.store(task->bare.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

// The body has a record since give_record().
TULLE_COLD void end_recorded(Thread* thread);

TULLE_MAY_SUSPEND inline void call_bare(Thread* thread, TaskFunction function, void* data) {
  Task* parent = thread->task;
  TaskGroup* group = parent->group;
  add_bare(parent, 1);
  ++thread->nested_bodies;
  function(data);
  thread = self();
  --thread->nested_bodies;
  if (TULLE_UNLIKELY(thread->task != parent)) end_recorded(thread);
  add_bare(parent, static_cast<uint32_t>(-1));
  parent->group = group;  // the body may have begun one that ended in its record
}

// The record of the bare body that runs in the name of `thread`, the current task from now on.
TULLE_COLD Task* give_record(Thread* thread);

// The current task, with a record of its own.
inline Task* recorded_task(Thread* thread) {
  Task* task = thread->task;
  return TULLE_LIKELY(task->bare.load(std::memory_order_relaxed) == 0) ? task : give_record(thread);
}

// The current task is a body without a record: it has no children.
inline bool is_bare(const Task* task) { return task->bare.load(std::memory_order_relaxed) != 0; }

}  // namespace tulle::omp
