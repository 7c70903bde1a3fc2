// SPDX-License-Identifier: Apache-2.0
// What tools and race detectors are told of tasks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/task/task.h"

namespace tulle::omp {

// Tools are told of a task that is made, once, and of its dependences; of the begin and the end of its body; of what
// it is called on top of; that it was cancelled before it began. A race detector is told of the same two.
TULLE_COLD void tell_tools_of(Thread* thread, Task* task, const Dependence* list, size_t count);
inline void tell_of(Thread* thread, Task* task, const Dependence* list, size_t count) {
  if (TULLE_UNLIKELY((task->bits & kTaskObserved) != 0)) tell_tools_of(thread, task, list, count);
}
inline constexpr uint32_t kTaskNoted = kTaskWatched | kTaskObserved;
TULLE_COLD void note_body_begin(Thread* thread, Task* task);
TULLE_COLD void note_body_end(Thread* thread, Task* task);
TULLE_COLD void note_above(Task* task, const Task* outer);
TULLE_COLD void note_dropped(Task* task);

}  // namespace tulle::omp
