// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/depend_memory.h"

#include <cstdlib>
#include <new>

#include "os/report.h"

namespace tulle::omp {

void DependenceMemory::carve(MemoryBlock* block) {
  for (char* at = block->end() - kCell; at >= block->begin(); at -= kCell) {
    auto* cell = reinterpret_cast<FreeCell*>(at);
    cell->next = free_;
    free_ = cell;
    ++made_;
  }
}

DependenceMemory::FreeCell* DependenceMemory::refill() {
  if (FreeCell* cell = returned_.take_all()) return cell;
  MemoryBlock* block = blocks_.take_empty();
  if (block == nullptr) {
    void* memory = aligned_alloc(kBlock, kBlock);
    if (memory == nullptr) os::fatal("no memory for the dependences of a task");
    block = new (memory) MemoryBlock;
    block->owner = this;
    block->bytes = kBlock;
    blocks_.add(block);
  }
  carve(block);
  return free_;
}

}  // namespace tulle::omp
