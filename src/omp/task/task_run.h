// SPDX-License-Identifier: Apache-2.0
// The bodies of tasks, called on the stack at hand.
#pragma once

#include <cstdint>

#include "arch/cpu.h"
#include "omp/task/task.h"

namespace tulle::omp {

// Whether another task may be called on top. The rest of the stack is for what the tasks on it need
// themselves: recursion goes on with another.
inline bool has_stack(const Thread* thread) {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >= thread->worker->stack->middle;
}

// Any thread may go on with this task while another runs.
inline bool takeable(const Task* task) {
  constexpr uint32_t kDeepest = 4096;  // each of them keeps a stack
  return (task->bits & kTaskMovable) != 0 && task->depth < kDeepest;
}

// Calls the task on top of the current task's frames. Returns when its body has ended; it is
// complete then unless it is detachable: true.
TULLE_MAY_SUSPEND bool run_on_top(Thread* thread, Task* task);

// The body, in the name of `thread`; the thread in whose name it ended is self().
TULLE_MAY_SUSPEND void run_body(Thread* thread, Task* task);

// Any thread may go on with the task, which is untied, where it suspends.
void make_movable(Task* task);

// The task becomes the current one of `thread`, and ceases to be: what run_body does around a body.
void enter_body(Thread* thread, Task* task);
void leave_body(Thread* thread, Task* task);

// The caller's frames are the body of an undeferred task, until end_undeferred().
void begin_inline(Thread* thread, Task* task);

// end_task() for one that ran on top of the current task's parent, which is current again.
bool end_on_top(Thread* thread, Task* task, Task* outer);

// The current task works on data of the thread in whose name it runs: it goes on in that name alone.
void stay_in_thread(Thread* thread);

// The current task is untied and begins to work as a tied one: it goes on in this thread's name alone.
void become_tied(Thread* thread);

// End of an undeferred task whose body the caller ran itself (begin_undeferred).
TULLE_MAY_SUSPEND void end_undeferred(Thread* thread, Task* task);

// For abi/kmp: a part of an untied task has ended without the task being complete; it is queued
// again, for any thread of the team.
void requeue_untied(Thread* thread, Task* task);

}  // namespace tulle::omp
