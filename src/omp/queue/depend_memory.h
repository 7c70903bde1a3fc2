// SPDX-License-Identifier: Apache-2.0
// Memory of dependences: cells of one cache line, for the nodes of tasks, further edges of a node, and
// addresses. Each task queue has one; its owner allocates and frees without an atomic operation, and
// what others free comes back in chains. A cell's block, which begins at a multiple of its size,
// says whose it is. The pages of a burst are given back (queue/task_trim.h). Tables that lie fallow are kept here, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/queue/memory_blocks.h"
#include "omp/queue/returned_list.h"

namespace tulle::omp {

struct DependenceTable;

class DependenceMemory {
 public:
  static constexpr size_t kCell = kCacheLine;

  // Owner only. Never null: where memory ends, the process ends with a message.
  void* allocate() {
    FreeCell* cell = free_;
    if (TULLE_UNLIKELY(cell == nullptr)) cell = refill();
    free_ = cell->next;
    return cell;
  }

  // `mine`: that of the calling worker; null: it has none.
  static void free(DependenceMemory* mine, void* memory) {
    auto* cell = static_cast<FreeCell*>(memory);
    DependenceMemory* home = home_of(cell);
    if (TULLE_LIKELY(home == mine)) {
      cell->next = mine->free_;
      mine->free_ = cell;
    } else if (mine != nullptr) {
      mine->outgoing_.add(cell, &home->returned_);
    } else {
      home->returned_.give(cell, cell);
    }
  }

  // W: owner. A list, through DependenceTable::next_spare.
  DependenceTable* spare_tables = nullptr;
  uint32_t spare_count = 0;

  // As those of records (queue/task_memory.h).
  void tell(std::atomic<bool>* burst) { blocks_.tell(burst); }
  void send_home() { outgoing_.send_all(); }
  template <class Wanted>
  bool give_back(Wanted wanted);

 private:
  static constexpr size_t kBlock = MemoryBlocks::kLarge;
  static constexpr uint32_t kBetweenAsks = 4096;

  struct FreeCell {
    FreeCell* next;
  };

  static DependenceMemory* home_of(void* cell) {
    auto* block = reinterpret_cast<MemoryBlock*>(reinterpret_cast<uintptr_t>(cell) & ~(kBlock - 1));
    return static_cast<DependenceMemory*>(block->owner);
  }

  TULLE_NOINLINE FreeCell* refill();
  void carve(MemoryBlock* block);

  FreeCell* free_ = nullptr;  // W: owner
  OutgoingChain<FreeCell, &FreeCell::next> outgoing_;  // W: owner
  MemoryBlocks blocks_;                                // W: owner
  uint32_t made_ = 0;                                  // W: owner; cells of the blocks in use
  ReturnedList<FreeCell, &FreeCell::next> returned_;   // W: others
};

template <class Wanted>
bool DependenceMemory::give_back(Wanted wanted) {
  if (blocks_.has_burst()) {
    uint32_t found = 0;
    returned_.move_all_to(free_);
    for (FreeCell* cell = free_; cell != nullptr; cell = cell->next)
      if (++found % kBetweenAsks == 0 && wanted()) return false;
    if (found != made_) return true;
    free_ = nullptr;
    made_ = 0;
    blocks_.drop([this](MemoryBlock* block) { carve(block); });
  }
  return blocks_.give_back(wanted);
}

}  // namespace tulle::omp
