// SPDX-License-Identifier: Apache-2.0
#include "omp/data/allocated_set.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/hash.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

// Open addressing with linear probing; a power of two of slots, at most half of them full.
// Null: free. Removal moves later members of the probe sequence up, so there are no tombstones.
struct Table {
  void** slots = nullptr;
  size_t capacity = 0;
  size_t count = 0;

  size_t home(void* block) const {
    return (golden_hash(reinterpret_cast<uintptr_t>(block) >> 4) >> 20) & (capacity - 1);
  }
  size_t after(size_t slot) const { return (slot + 1) & (capacity - 1); }

  // The slot that holds `block`, or the free one where it would go.
  size_t find(void* block) const {
    size_t slot = home(block);
    while (slots[slot] != nullptr && slots[slot] != block) slot = after(slot);
    return slot;
  }

  void insert(void* block) {
    size_t slot = find(block);
    if (slots[slot] == nullptr) ++count;
    slots[slot] = block;
  }

  void grow() {
    Table larger;
    larger.capacity = capacity == 0 ? 64 : capacity * 2;
    larger.slots = static_cast<void**>(calloc(larger.capacity, sizeof(void*)));
    if (larger.slots == nullptr) os::fatal("out of memory for the table of allocatables");
    for (size_t slot = 0; slot < capacity; ++slot)
      if (slots[slot] != nullptr) larger.insert(slots[slot]);
    free(slots);
    *this = larger;
  }

  void erase(size_t hole) {
    --count;
    for (size_t slot = after(hole); slots[slot] != nullptr; slot = after(slot)) {
      size_t from_home = (slot - home(slots[slot])) & (capacity - 1);
      size_t from_hole = (slot - hole) & (capacity - 1);
      if (from_home < from_hole) continue;  // its home lies behind the hole
      slots[hole] = slots[slot];
      hole = slot;
    }
    slots[hole] = nullptr;
  }
};

TULLE_HELD_AT_FORK constinit sync::Spinlock table_lock;
constinit Table table;  // guarded by table_lock

}  // namespace

void remember_allocated(void* block) {
  if (block == nullptr) return;
  sync::Guard guard(table_lock);
  if (table.count * 2 >= table.capacity) table.grow();
  table.insert(block);
}

bool forget_allocated(void* block) {
  if (block == nullptr) return false;
  sync::Guard guard(table_lock);
  if (table.count == 0) return false;
  size_t slot = table.find(block);
  if (table.slots[slot] == nullptr) return false;
  table.erase(slot);
  return true;
}

}  // namespace tulle::omp
