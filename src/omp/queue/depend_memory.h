// SPDX-License-Identifier: Apache-2.0
// Memory of dependences: cells of one cache line, for the nodes of tasks, further edges of a node, and
// addresses. Each task queue has one; its owner allocates and frees without an atomic operation, and
// what others free comes back in chains. A cell's block, which begins at a multiple of its size,
// says whose it is. Blocks are never unmapped. Tables that lie fallow are kept here, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
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

 private:
  static constexpr size_t kBlock = 64 * 1024;

  struct FreeCell {
    FreeCell* next;
  };

  static DependenceMemory* home_of(void* cell) {
    return *reinterpret_cast<DependenceMemory**>(reinterpret_cast<uintptr_t>(cell) & ~(kBlock - 1));
  }

  TULLE_NOINLINE FreeCell* refill();

  FreeCell* free_ = nullptr;  // W: owner
  OutgoingChain<FreeCell, &FreeCell::next> outgoing_;  // W: owner
  ReturnedList<FreeCell, &FreeCell::next> returned_;   // W: others
};

}  // namespace tulle::omp
