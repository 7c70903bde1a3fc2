// SPDX-License-Identifier: Apache-2.0
// New tasks, on their way to whoever runs them.
#pragma once

#include <cstddef>

#include "omp/task/task.h"

namespace tulle::omp {

// The task may run from now on: deferred, or right here if it is undeferred or the pool is full.
// With dependences it waits, in no queue, until they are satisfied; the maker of an undeferred one waits, too.
TULLE_MAY_SUSPEND void submit_task(Thread* thread, Task* task);
// `code`: what its body is known by.
TULLE_MAY_SUSPEND void submit_task(Thread* thread, Task* task, const Dependence* list, size_t count,
                                   const void* code = nullptr);

// The same for one that prefers_call() was asked about (task_choice.h).
TULLE_MAY_SUSPEND void defer_task(Thread* thread, Task* task);

// A wish: the task works on what is at `address`. Before it is submitted.
void set_affinity(Task* task, const void* address);

// An undeferred child without an event and with no dependences to wait for, with data that stay where they are.
TULLE_MAY_SUSPEND void call_task(Thread* thread, TaskFunction function, void* data, uint32_t bits);

}  // namespace tulle::omp
