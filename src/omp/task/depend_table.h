// SPDX-License-Identifier: Apache-2.0
// The addresses that a parent's children named. For each one: the nodes that named it last in one kind
// (`now`), and those that these follow (`before`). Belongs to the parent: only who runs the parent
// touches it, so it has no lock. Nodes that are found complete leave the lists, and addresses with
// nothing else leave the table when it would have to grow: what it needs depends on the tasks that
// are alive, not on those that were.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/graph/dependence_kind.h"
#include "omp/queue/depend_node.h"

namespace tulle::omp {

// Nodes in the order of their creation.
class NodeList {
 public:
  uint32_t size() const { return size_; }
  DependenceNode** begin() { return room_ == kInline ? inline_ : grown(); }
  DependenceNode** end() { return begin() + size_; }

  void push(DependenceMemory* memory, DependenceNode* node) {
    if (TULLE_UNLIKELY(size_ == room_)) make_room(memory);
    ++node->named;
    begin()[size_++] = node;
  }
  // Names nothing any more.
  void clear(DependenceMemory* memory) {
    for (DependenceNode* node : *this) unname(memory, node);
    forget();
  }
  // The same where the caller has unnamed the nodes.
  void forget();
  // Keeps the first `count`; the caller has unnamed the others.
  void shorten(uint32_t count) { size_ = count; }
  void drop_complete(DependenceMemory* memory);

 private:
  static constexpr uint32_t kInline = 2;

  DependenceNode** grown() { return reinterpret_cast<DependenceNode**>(inline_[0]); }
  TULLE_NOINLINE void make_room(DependenceMemory* memory);

  DependenceNode* inline_[kInline];  // or, if grown, the malloc'ed array
  uint32_t size_ = 0;
  uint32_t room_ = kInline;
};

struct TULLE_CACHE_ALIGNED DependenceEntry {
  uint32_t asked = 0;  // where the address stood in the list of the last task that named it
  DependenceKind kind = DependenceKind::out;        // of `now`
  DependenceKind asked_kind = DependenceKind::out;  // of the task that is being entered
  NodeList now;
  NodeList before;
  Exclusion* exclusion = nullptr;
};
static_assert(sizeof(DependenceEntry) == DependenceMemory::kCell);

// Somebody who is told what becomes of a task's children (omp/replay). The table keeps it.
struct ChildrenObserver {
  void (*waited)(ChildrenObserver*);  // the task has waited for all of them
  void (*ended)(ChildrenObserver*);   // the task has ended; it observes no more
};

struct Phase;

struct DependenceTable {
  struct Slot {
    void* address;
    DependenceEntry* entry;  // null: free
  };

  Slot* slots = nullptr;  // open addressing; at most half of them are used
  uint32_t room = 0;      // power of two
  uint32_t shift = 0;     // from a hash of 64 bits to a slot
  uint32_t used = 0;
  DependenceNode* everything = nullptr;  // the last task that named omp_all_memory
  DependenceTable* next_spare = nullptr;
  ChildrenObserver* observer = nullptr;
  Phase* phase = nullptr;  // task/repeat.h

  // Room for `count` addresses more: until they are added no entry moves or goes.
  void reserve(DependenceMemory* memory, size_t count) {
    if (TULLE_UNLIKELY(2 * (used + count) > room)) make_room(memory, count);
  }
  DependenceEntry* find_or_add(DependenceMemory* memory, void* address);

 private:
  Slot* probe(const void* address);
  DependenceEntry* add(DependenceMemory* memory, Slot* slot, void* address);
  TULLE_NOINLINE void make_room(DependenceMemory* memory, size_t count);
};

// The current task's table, made if need be.
DependenceTable* table_for_children(Thread* thread);

Exclusion* new_exclusion();
DependenceTable* new_table(DependenceMemory* memory);
// `memory`: of the calling worker; null: it has none.
void free_table(DependenceMemory* memory, DependenceTable* table);

}  // namespace tulle::omp
