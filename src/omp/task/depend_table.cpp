// SPDX-License-Identifier: Apache-2.0
#include "omp/task/depend_table.h"

#include <bit>
#include <cstdlib>
#include <new>

#include "base/hash.h"
#include "omp/task/task_count.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

constexpr uint32_t kFewestSlots = 16;
constexpr uint32_t kMostSpareSlots = 32 * 1024;  // of a table that is kept
constexpr uint32_t kMostSpareTables = 4;         // of one queue

template <class T>
T* require(T* memory) {
  if (TULLE_UNLIKELY(memory == nullptr)) os::fatal("no memory for the dependences of a task");
  return memory;
}

void free_entry(DependenceMemory* memory, DependenceEntry* entry) {
  entry->now.clear(memory);
  entry->before.clear(memory);
  if (TULLE_UNLIKELY(entry->exclusion != nullptr)) drop(entry->exclusion);
  DependenceMemory::free(memory, entry);
}

}  // namespace

void NodeList::forget() {
  size_ = 0;
  if (TULLE_LIKELY(room_ == kInline)) return;
  free(grown());
  room_ = kInline;
}

void NodeList::drop_complete(DependenceMemory* memory) {
  uint32_t kept = 0;
  DependenceNode** nodes = begin();
  for (uint32_t i = 0; i < size_; ++i) {
    if (!nodes[i]->complete()) {
      nodes[kept++] = nodes[i];
      continue;
    }
    ult::happens_after(&nodes[i]->successors);  // what came to follow it comes after the parent
    unname(memory, nodes[i]);
  }
  size_ = kept;
}

void NodeList::make_room(DependenceMemory* memory) {
  drop_complete(memory);
  if (size_ <= room_ / 2) return;
  uint32_t room = room_ * 4;
  bool first = room_ == kInline;
  void* old = first ? nullptr : grown();
  auto** nodes = static_cast<DependenceNode**>(require(realloc(old, room * sizeof(void*))));
  if (first)
    for (uint32_t i = 0; i < size_; ++i) nodes[i] = inline_[i];
  inline_[0] = reinterpret_cast<DependenceNode*>(nodes);
  room_ = room;
}

DependenceTable::Slot* DependenceTable::probe(const void* address) {
  uint32_t at = static_cast<uint32_t>(golden_hash(address) >> shift);
  while (slots[at].address != address && slots[at].entry != nullptr) at = (at + 1) & (room - 1);
  return &slots[at];
}

DependenceEntry* DependenceTable::add(DependenceMemory* memory, Slot* slot, void* address) {
  auto* entry = new (memory->allocate()) DependenceEntry;
  if (TULLE_UNLIKELY(everything != nullptr)) entry->now.push(memory, everything);
  *slot = {address, entry};
  ++used;
  return entry;
}

DependenceEntry* DependenceTable::find_or_add(DependenceMemory* memory, void* address) {
  Slot* slot = probe(address);
  return TULLE_LIKELY(slot->entry != nullptr) ? slot->entry : add(memory, slot, address);
}

void DependenceTable::make_room(DependenceMemory* memory, size_t count) {
  Slot* old = slots;
  uint32_t old_room = room, live = 0;
  for (uint32_t i = 0; i < old_room; ++i) {
    DependenceEntry* entry = old[i].entry;
    if (entry == nullptr) continue;
    entry->now.drop_complete(memory);
    entry->before.drop_complete(memory);
    if (entry->now.size() + entry->before.size() != 0) {
      ++live;
      continue;
    }
    free_entry(memory, entry);
    old[i].entry = nullptr;
  }
  // A third of the slots at most, so that as many addresses again can come before the next time.
  size_t least = 3 * (live + count);
  room = static_cast<uint32_t>(std::bit_ceil(least < kFewestSlots ? kFewestSlots : least));
  shift = static_cast<uint32_t>(64 - std::countr_zero(room));
  slots = static_cast<Slot*>(require(calloc(room, sizeof(Slot))));
  used = live;
  for (uint32_t i = 0; i < old_room; ++i)
    if (old[i].entry != nullptr) *probe(old[i].address) = old[i];
  free(old);
}

Exclusion* new_exclusion() {
  auto* exclusion = new (require(malloc(sizeof(Exclusion)))) Exclusion;
  ult::happens_before(exclusion);  // pairs with drop()
  return exclusion;
}

DependenceTable* new_table(DependenceMemory* memory) {
  DependenceTable* table = memory->spare_tables;
  if (TULLE_LIKELY(table != nullptr)) {
    memory->spare_tables = table->next_spare;
    --memory->spare_count;
    return table;
  }
  return new (require(malloc(sizeof(DependenceTable)))) DependenceTable;
}

DependenceTable* table_for_children(Thread* thread) {
  Task* parent = thread->task();
  if (parent->table == nullptr) parent->table = new_table(&queue_for(thread)->memory.dependences);
  return parent->table;
}

void free_table(DependenceMemory* memory, DependenceTable* table) {
  if (table->everything != nullptr) unname(memory, table->everything);
  table->everything = nullptr;
  // A table that is kept has to be cleared: only if it was needed.
  bool keep = memory != nullptr && memory->spare_count < kMostSpareTables &&
              table->room <= kMostSpareSlots &&
              (table->room == kFewestSlots || table->used >= table->room / 8);
  for (uint32_t i = 0; i < table->room; ++i) {
    DependenceTable::Slot& slot = table->slots[i];
    if (slot.entry == nullptr) continue;
    free_entry(memory, slot.entry);
    slot = {};
  }
  if (keep) {
    table->used = 0;
    table->next_spare = memory->spare_tables;
    memory->spare_tables = table;
    ++memory->spare_count;
    return;
  }
  free(table->slots);
  free(table);
}

}  // namespace tulle::omp
