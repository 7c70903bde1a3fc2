// SPDX-License-Identifier: Apache-2.0
// Bare calls: the body of an undeferred child is called without a record, on top of its parent's
// frames, and the parent's record stays the current one. Task::bare counts such bodies. A bare body
// gets a record, between it and its parent, when it does what needs one: it makes a child with a record,
// sets a control variable, or owns a lock. So a body without a record has no children. W: whoever runs
// the parent.
#pragma once

#include "arch/cpu.h"
#include "arch/float_control.h"
#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/thread/team.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

// Whether a child with these TaskBits can do without a record: control variables, final and the rules
// for tied tasks are its parent's. So it neither becomes final nor is tied where its parent is not.
inline bool can_be_bare(const Task* parent, uint32_t bits) {
  return ((bits ^ parent->bits) & (bits ^ kTaskUntied) & (kTaskFinal | kTaskUntied)) == 0;
}

// A task that is created now runs before its maker goes on: outside of regions nobody would come
// by to run it.
inline bool runs_at_once(const Thread* thread) {
  return thread->team->level == 0 || (thread->task()->bits & kTaskFinal) != 0;
}

// Tasks that a thread's first descent into a tree of tasks may keep: twice as many as trees of searches are deep.
inline constexpr uint32_t kDescent = 256;

// The thread is on its first way down a tree of tasks (task_choice.h).
TULLE_NOINLINE bool descends(Thread* thread);

// Nobody else could run the team's tasks, and neither a policy nor their order wants them queued.
inline bool calls_all(Thread* thread) {
  return thread->team->nthreads == 1 && has_stack(thread) &&
         !look(task_policies.of(thread->task()).special) &&
         (TULLE_LIKELY(thread->descent == 0) || !descends(thread));
}

// Tasks are never dropped. Until the policies are set nobody knows.
inline bool never_cancelled() { return (look(task_policies.bits) & kTaskCancellable) == 0; }

// Tasks are never dropped, no graph of them is recorded, and no tool is told of them. Until the policies are set
// nobody knows.
inline bool nobody_looks() {
  return (look(task_policies.bits) & (kTaskCancellable | kTaskLookedAt | kTaskObserved)) == 0;
}

// Tools are told of explicit tasks: each has a record.
inline bool tasks_observed() { return TULLE_UNLIKELY((look(task_policies.bits) & kTaskObserved) != 0); }

// Relaxed: the holder of the thread alone writes it; servers of tasks look as a hint.
inline void add_bare(Task* task, uint32_t count) { arch::add_alone(task->bare, count); }

// A body without a record begins on top of the current task, which is returned.
inline Task* begin_bare(Thread* thread) {
  Task* parent = thread->task();
  add_bare(parent, 1);
  return parent;
}

// It has a record since give_record(), which ends with it.
TULLE_COLD void end_recorded(Thread* thread);

// `parent` is what begin_bare() returned. Between the two one body may follow another.
inline void drop_record(Thread* thread, const Task* parent) {
  if (TULLE_UNLIKELY(thread->task() != parent)) end_recorded(thread);
}

inline void end_bare(Thread* thread, Task* parent) {
  drop_record(thread, parent);
  asm("" : "+r"(parent));  // the counter's address is not kept over the body, which costs more
  add_bare(parent, static_cast<uint32_t>(-1));
}

TULLE_MAY_SUSPEND inline void call_bare(Thread* thread, TaskFunction function, void* data) {
  Task* parent = begin_bare(thread);
  {
    arch::KeepShortFloatControl keep;
    function(data);
  }
  end_bare(self(), parent);
}

// The record of the bare body that runs in the name of `thread`, the current task from now on.
TULLE_COLD Task* give_record(Thread* thread);

// The current task, with a record of its own.
inline Task* recorded_task(Thread* thread) {
  Task* task = thread->task();
  return TULLE_LIKELY(task->bare.load(std::memory_order_relaxed) == 0) ? task : give_record(thread);
}

// The current task is a body without a record: it has no children.
inline bool is_bare(const Task* task) { return task->bare.load(std::memory_order_relaxed) != 0; }

// The current task has no children that a new one could depend on.
inline bool has_no_children(const Thread* thread) {
  const Task* task = thread->task();
  if (is_bare(task)) return true;
  if (live_children(task) != 0) return false;
  ult::happens_after(&task->balance);
  return true;
}

}  // namespace tulle::omp
