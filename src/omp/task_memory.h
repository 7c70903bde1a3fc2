// SPDX-License-Identifier: Apache-2.0
// Memory of task records, by size classes, one set of free lists for each queue. A record that
// another worker frees comes back to the queue that it came from: freers collect records for one
// home and hand them over in a chain, by one exchange. Records' memory is never unmapped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/depend_memory.h"
#include "omp/returned_list.h"
#include "omp/task_record.h"

namespace tulle::omp {

class TaskMemory {
 public:
  static constexpr uint32_t kClasses = 5;  // 256, 512, 1024, 2048, 4096 bytes
  static constexpr size_t class_bytes(uint32_t size_class) { return size_t{256} << size_class; }

  // Owner only: a free record, with `bytes` of data behind it aligned to
  // `alignment`; larger data is malloc'ed. Null: no memory.
  Task* allocate(TaskQueue* home, size_t bytes, size_t alignment);

  // The owner of this memory frees a record, its own or another queue's.
  void free_owner(TaskQueue* mine, Task* task);

  // Any OS thread that owns no queue.
  static void free_any(Task* task);

  DependenceMemory dependences;

 private:
  Task* refill(TaskQueue* home, uint32_t size_class);
  static void free_storage(Task* task);

  Task* free_[kClasses] = {};                    // W: owner, through Task::below
  OutgoingChain<Task, &Task::below> outgoing_;   // W: owner
  ReturnedList<Task, &Task::below> returned_;    // W: others; of all classes
};

}  // namespace tulle::omp
