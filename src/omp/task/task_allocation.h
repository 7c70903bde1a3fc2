// SPDX-License-Identifier: Apache-2.0
// The memory of tasks: new_task() in two steps.
#pragma once

#include "omp/task/task.h"
#include "omp/task/task_count.h"
#include "omp/thread/team.h"

namespace tulle::omp {

// The process ends with a message.
[[noreturn]] TULLE_COLD void stop_without_memory(size_t bytes);

// A record that is no task yet: `data` alone is set. It becomes one by enroll_task(), or is given back.
inline Task* allocate_task(Thread* thread, size_t bytes, size_t alignment) {
  TaskQueue* queue = queue_for(thread);
  Task* task = queue->memory.allocate(queue, bytes, alignment);
  if (TULLE_UNLIKELY(task == nullptr)) stop_without_memory(bytes);
  return task;
}

inline void give_back_task(Thread* thread, Task* task) {
  TaskQueue* queue = queue_for(thread);
  queue->memory.free_owner(queue, task);
}

}  // namespace tulle::omp
