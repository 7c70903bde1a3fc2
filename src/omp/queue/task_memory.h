// SPDX-License-Identifier: Apache-2.0
// Memory of task records, by size classes, one set of free lists for each queue. A record that
// another worker frees comes back to the queue that it came from: freers collect records of one
// class for one home and hand them over in a chain, by one exchange. The owner takes all that came of a class as its free
// list: to walk over it would wait for each record's line, which is where it was freed. Records' addresses are never unmapped; the pages of a burst
// are given back (queue/task_trim.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/queue/depend_memory.h"
#include "omp/queue/memory_blocks.h"
#include "omp/queue/returned_list.h"
#include "omp/queue/task_record.h"

namespace tulle::omp {

// There may be tools: set when the library is loaded, before any record is made, and never again.
extern TULLE_NEAR bool tools_may_come;
// All there were have ended: what they kept is of no use any more.
extern TULLE_NEAR bool tools_have_gone;
// The storage of a record then; never null. From who sets it.
extern TULLE_NEAR TaskStorage* (*storage_for_tools)(Task* task);

class TaskMemory {
 public:
  // A record alone with few data, 256, 512, 1024, 2048, 4096 bytes.
  static constexpr uint32_t kClasses = 6;
  static constexpr size_t class_bytes(uint32_t size_class) {
    return size_class == 0 ? sizeof(Task) : size_t{128} << size_class;
  }

  // Owner only: a free record, with `bytes` of data behind it aligned to
  // `alignment`; larger data is malloc'ed. Null: no memory.
  Task* allocate(TaskQueue* home, size_t bytes, size_t alignment) {
    if (alignment < kDataAlignment) alignment = kDataAlignment;
    uint32_t size_class = class_for(kHeader + bytes + alignment - kDataAlignment);
    if (TULLE_UNLIKELY(size_class >= kClasses || free_[size_class] == nullptr))
      return allocate_slow(home, bytes, alignment, size_class);
    Task* task = take(size_class);
    task->data = align(reinterpret_cast<char*>(task) + kHeader, alignment);
    return task;
  }

  // The owner of this memory frees a record, its own or another queue's.
  void free_owner(TaskQueue* mine, Task* task) {
    free_storage(task);
    if (TULLE_UNLIKELY(task->home != mine)) return send_home(task);
    task->next = free_[task->size_class];
    free_[task->size_class] = task;
  }

  // Any OS thread that owns no queue.
  static void free_any(Task* task);

  DependenceMemory dependences;

  // What is set when there is more memory than is kept.
  void tell(std::atomic<bool>* burst);
  // Whoever is alone with the team's memories: those that were freed here go home; then all that came home is
  // counted, and given back but for some blocks, if nothing is missing. False: `wanted` came true before that was done.
  void send_home();
  template <class Wanted>
  bool give_back(TaskQueue* home, Wanted wanted);

 private:
  // Data begin in the record's last cache line. GCC and Clang support offsetof with a base class.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
  static constexpr size_t kDataAlignment = 16;
  static constexpr uint32_t kBetweenAsks = 1024;
  static constexpr size_t kHeader =
      (offsetof(Task, storage) + sizeof(Task::storage) + kDataAlignment - 1) & ~(kDataAlignment - 1);
  static_assert(kHeader == 160);
#pragma GCC diagnostic pop

  // From kClasses on: of data that are malloc'ed.
  static uint32_t class_for(size_t bytes) {
    if (bytes <= class_bytes(0)) return 0;
    // 1 for all up to class_bytes(1), with the lowest bit set: no branch for them.
    return static_cast<uint32_t>(std::bit_width(((bytes - 1) / (class_bytes(1) / 2)) | 1));
  }

  static char* align(char* address, size_t alignment) {
    auto value = reinterpret_cast<uintptr_t>(address);
    return reinterpret_cast<char*>((value + alignment - 1) & ~(alignment - 1));
  }

  // There is one.
  Task* take(uint32_t size_class) {
    Task* task = free_[size_class];
    Task* next = free_[size_class] = task->next;
    prefetch_object(next);  // others may have used it last
    return task;
  }

  TULLE_NOINLINE Task* allocate_slow(TaskQueue* home, size_t bytes, size_t alignment,
                                     uint32_t size_class);
  Task* refill(TaskQueue* home, uint32_t size_class);
  MemoryBlock* new_block(size_t bytes);
  void carve(TaskQueue* home, MemoryBlock* block, uint32_t size_class);
  static void free_storage(Task* task) {
    if (TULLE_UNLIKELY(task->storage != nullptr)) free_own_storage(task);
  }
  TULLE_NOINLINE static void free_own_storage(Task* task);
  TULLE_NOINLINE void send_home(Task* task);

  Task* free_[kClasses] = {};                    // W: owner, through Task::next
  uint32_t next_block_ = 8 * 1024;              // W: owner; bytes: each twice as large as the last, up to a bound
  OutgoingChain<Task, &Task::next> outgoing_[kClasses];  // W: owner
  MemoryBlocks blocks_;                         // W: owner
  uint32_t made_ = 0;                           // W: owner; records of the blocks in use
  ReturnedList<Task, &Task::next> returned_[kClasses];  // W: others
};

template <class Wanted>
bool TaskMemory::give_back(TaskQueue* home, Wanted wanted) {
  if (!dependences.give_back(wanted)) return false;
  if (blocks_.has_burst()) {
    for (uint32_t i = 0; i < kClasses; ++i) returned_[i].move_all_to(free_[i]);
    uint32_t found = 0;
    for (Task* first : free_)
      for (Task* task = first; task != nullptr; task = task->next)
        if (++found % kBetweenAsks == 0 && wanted()) return false;
    if (found != made_) return true;
    for (Task*& first : free_) first = nullptr;
    made_ = 0;
    blocks_.drop([=, this](MemoryBlock* block) { carve(home, block, block->size_class); });
  }
  return blocks_.give_back(wanted);
}

}  // namespace tulle::omp
