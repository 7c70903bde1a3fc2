// SPDX-License-Identifier: Apache-2.0
// The end of tasks.
#pragma once

#include "arch/cpu.h"
#include "omp/task/task.h"

namespace tulle::omp {

// omp_fulfill_event: the event of a detachable task. Any OS thread, also one the runtime does not
// know; never suspends.
void fulfill_event(Task* task);

// A task that a race detector watches ends: before whatever waits for it goes on.
TULLE_COLD void note_task_end(Task* task);

// The body has ended. True if the task is complete: end_task() is due.
bool drop_hold(Task* task);
inline bool body_ended(Task* task) {
  return TULLE_LIKELY((task->bits & kTaskDetachable) == 0) || drop_hold(task);
}

// A complete task: releases what depends on it, tells its group and its parent, frees the record.
// `thread` null: an OS thread that is none of the team's. `by_parent`: called by the parent's frames.
void end_task(Thread* thread, Task* task, bool by_parent);

// Tasks that one worker runs one after another, mostly children of one parent. It is told of several at once, as long as
// the worker has another child of it in hand, without which the parent does not get further either.
class EndedSiblings {
 public:
  // end_task() for one that no frames of its parent called.
  void end(Thread* thread, Task* task);
  // The worker goes on with `next`, which is null if there is none.
  void go_on(Thread* thread, const Task* next) {
    if (ended_ != 0 && (next == nullptr || !keeps_parent(next))) tell(thread);
  }
  // The parent waits, and there may be nothing to go on with.
  bool awaited() const { return ended_ != 0 && !parent_->waiter.empty(); }
  void tell(Thread* thread);

 private:
  // Not if it has a stack, from whose frames nobody comes back here, or an event, after which anybody completes it.
  bool keeps_parent(const Task* next) const {
    return next->parent == parent_ && next->ult == nullptr && (next->bits & kTaskDetachable) == 0;
  }

  static constexpr uint32_t kMost = 16;  // a maker sees that they become fewer
  Task* parent_ = nullptr;
  uint32_t ended_ = 0;
};

// Frees the record and what hangs on it; nothing refers to it any more.
void free_task(Thread* thread, Task* task);

}  // namespace tulle::omp
