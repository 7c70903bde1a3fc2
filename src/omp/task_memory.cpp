// SPDX-License-Identifier: Apache-2.0
#include "omp/task_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/cacheline.h"
#include "omp/task_pool.h"

namespace tulle::omp {

namespace {

// Data begin in the record's last cache line.
constexpr size_t kHeader = (offsetof(Task, resume) + sizeof(Task::resume) + 15) & ~size_t{15};
static_assert(kHeader == 160);
constexpr uint32_t kOversize = UINT32_MAX;  // of data that is malloc'ed
constexpr size_t kBlock = 64 * 1024;

uint32_t class_for(size_t bytes) {
  for (uint32_t i = 0; i < TaskMemory::kClasses; ++i)
    if (bytes <= TaskMemory::class_bytes(i)) return i;
  return kOversize;
}

char* align(char* address, size_t alignment) {
  auto value = reinterpret_cast<uintptr_t>(address);
  return reinterpret_cast<char*>((value + alignment - 1) & ~(alignment - 1));
}

}  // namespace

Task* TaskMemory::refill(TaskQueue* home, uint32_t size_class) {
  // First what others gave back, whatever its class.
  Task* task = returned_.take_all();
  while (task != nullptr) {
    Task* next = task->below;
    task->below = free_[task->size_class];
    free_[task->size_class] = task;
    task = next;
  }
  if (free_[size_class] != nullptr) return free_[size_class];
  size_t bytes = class_bytes(size_class);
  char* block = static_cast<char*>(aligned_alloc(64, kBlock));
  if (block == nullptr) return nullptr;
  for (size_t offset = 0; offset + bytes <= kBlock; offset += bytes) {
    auto* record = new (block + offset) Task;
    record->size_class = size_class;
    record->home = home;
    ult::happens_before(record);  // pairs with new_task's look at its record
    record->below = free_[size_class];
    free_[size_class] = record;
  }
  return free_[size_class];
}

Task* TaskMemory::allocate(TaskQueue* home, size_t bytes, size_t alignment) {
  if (alignment < 16) alignment = 16;
  size_t total = kHeader + bytes + (alignment > 16 ? alignment - 16 : 0);
  uint32_t size_class = class_for(total);
  bool oversize = size_class == kOversize;
  if (oversize) size_class = 0;
  Task* task = free_[size_class];
  if (TULLE_UNLIKELY(task == nullptr)) task = refill(home, size_class);
  if (task == nullptr) return nullptr;
  char* data = align(reinterpret_cast<char*>(task) + kHeader, alignment);
  if (TULLE_UNLIKELY(oversize)) {
    data = static_cast<char*>(aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1)));
    if (data == nullptr) return nullptr;
    task->storage = data;
  }
  Task* next = free_[size_class] = task->below;
  prefetch_object(next);  // others may have used it last
  task->data = data;
  return task;
}

void TaskMemory::free_storage(Task* task) {
  if (TULLE_LIKELY(task->storage == nullptr)) return;
  free(task->storage);
  task->storage = nullptr;
}

void TaskMemory::free_owner(TaskQueue* mine, Task* task) {
  free_storage(task);
  if (task->home != mine) {
    outgoing_.add(task, &task->home->memory.returned_);
    return;
  }
  task->below = free_[task->size_class];
  free_[task->size_class] = task;
}

void TaskMemory::free_any(Task* task) {
  free_storage(task);
  task->home->memory.returned_.give(task, task);
}

}  // namespace tulle::omp
