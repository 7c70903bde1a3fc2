// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/look.h"
#include "omp/queue/task_pool.h"

namespace tulle::omp {

bool tools_may_come = false, tools_have_gone = false;
TaskStorage* (*storage_for_tools)(Task*) = nullptr;

namespace {

// Not given back: who has missed that tools have gone may still tell them of a task that ends.
std::atomic<TaskStorage*> left_by_tools{nullptr};

// What tools keep stays with the record, as long as there are any: from then on its tasks need not look there.
TULLE_COLD void free_told_storage(Task* task) {
  auto* storage = static_cast<TaskStorage*>(task->storage);
  free(storage->data);
  storage->data = nullptr;
  if (!look(tools_have_gone)) return;  // a hint
  task->storage = nullptr;
  TaskStorage* before = left_by_tools.load(std::memory_order_relaxed);
  do {
    storage->data = before;
  } while (!left_by_tools.compare_exchange_weak(before, storage, std::memory_order_relaxed));  // nobody reads it
}

}  // namespace

void TaskMemory::tell(std::atomic<bool>* burst) {
  blocks_.tell(burst);
  dependences.tell(burst);
}

void TaskMemory::send_home() {
  for (auto& outgoing : outgoing_) outgoing.send_all();
  dependences.send_home();
}

// Large ones are whole pages of their own.
MemoryBlock* TaskMemory::new_block(size_t bytes) {
  const size_t all = std::max<size_t>(next_block_, sizeof(MemoryBlock) + bytes);
  void* memory = all < MemoryBlocks::kLarge ? aligned_alloc(alignof(MemoryBlock), all) : os::map_memory(all);
  if (memory == nullptr) return nullptr;
  next_block_ = std::min(2 * next_block_, MemoryBlocks::kLarge);
  auto* block = new (memory) MemoryBlock;
  block->bytes = static_cast<uint32_t>(all);
  blocks_.add(block);
  return block;
}

// The block's records, made anew, are free.
void TaskMemory::carve(TaskQueue* home, MemoryBlock* block, uint32_t size_class) {
  const size_t bytes = class_bytes(size_class);
  block->size_class = size_class;
  for (char* at = block->begin(); at + bytes <= block->end(); at += bytes) {
    auto* record = new (at) Task;
    record->size_class = static_cast<uint8_t>(size_class);
    record->home = home;
    ult::happens_before(record);  // pairs with new_task's look at its record
    record->next = free_[size_class];
    free_[size_class] = record;
    ++made_;
  }
}

// None of the class is free.
Task* TaskMemory::refill(TaskQueue* home, uint32_t size_class) {
  free_[size_class] = returned_[size_class].take_all();  // first what others gave back
  if (free_[size_class] != nullptr) return free_[size_class];
  MemoryBlock* block = blocks_.take_empty();
  if (block == nullptr) block = new_block(class_bytes(size_class));
  if (block == nullptr) return nullptr;
  carve(home, block, size_class);
  return free_[size_class];
}

Task* TaskMemory::allocate_slow(TaskQueue* home, size_t bytes, size_t alignment,
                                uint32_t size_class) {
  bool oversize = size_class >= kClasses;
  if (oversize) size_class = 0;
  if (free_[size_class] == nullptr && refill(home, size_class) == nullptr) return nullptr;
  char* data = nullptr;
  if (oversize) {
    data = static_cast<char*>(aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1)));
    if (data == nullptr) return nullptr;
  }
  Task* task = take(size_class);
  if (data != nullptr && TULLE_UNLIKELY(tools_may_come))
    storage_for_tools(task)->data = data;
  else if (data != nullptr)
    task->storage = data;
  task->data = oversize ? data : align(reinterpret_cast<char*>(task) + kHeader, alignment);
  return task;
}

void TaskMemory::free_own_storage(Task* task) {
  if (TULLE_UNLIKELY(tools_may_come)) return free_told_storage(task);
  free(task->storage);
  task->storage = nullptr;
}

void TaskMemory::send_home(Task* task) {
  outgoing_[task->size_class].add(task, &task->home->memory.returned_[task->size_class]);
}

void TaskMemory::free_any(Task* task) {
  free_storage(task);
  task->home->memory.returned_[task->size_class].give(task, task);
}

}  // namespace tulle::omp
