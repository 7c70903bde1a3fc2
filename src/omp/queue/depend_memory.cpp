// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/depend_memory.h"

#include <cstdlib>

#include "os/report.h"

namespace tulle::omp {

DependenceMemory::FreeCell* DependenceMemory::refill() {
  if (FreeCell* cell = returned_.take_all()) return cell;
  char* block = static_cast<char*>(aligned_alloc(kBlock, kBlock));
  if (block == nullptr) os::fatal("no memory for the dependences of a task");
  *reinterpret_cast<DependenceMemory**>(block) = this;
  FreeCell* first = nullptr;
  for (size_t offset = kBlock - kCell; offset != 0; offset -= kCell) {
    auto* cell = reinterpret_cast<FreeCell*>(block + offset);
    cell->next = first;
    first = cell;
  }
  return first;
}

}  // namespace tulle::omp
