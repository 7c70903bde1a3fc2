// SPDX-License-Identifier: Apache-2.0
// The edges of a graph from what its tasks say in their depend clauses, in the order of their creation, by the
// rules of OpenMP 5.2 §15.9.5: as if no task ended before the last one is created. Tasks of a mutexinoutset
// follow each other in the order of their creation, which is one of the orders that the set allows. Owner: one
// thread.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "omp/graph/dependence_kind.h"
#include "omp/graph/task_graph_builder.h"

namespace tulle::omp {

// One item of a depend clause. Address 0 with access out is omp_all_memory.
struct GraphItem {
  uintptr_t address;
  DependenceKind access;
};

class DependenceOrder {
 public:
  explicit DependenceOrder(TaskGraphBuilder& builder) : builder_(builder) {}

  // The builder's newest task says this.
  void add(uint32_t task, std::span<const GraphItem> items);
  // It follows all before it, and all later ones follow it (taskwait).
  void add_barrier(uint32_t task);
  // All later ones follow it, for whoever creates them has waited for it (an undeferred task that was added).
  void wait_for(uint32_t task);

  bool short_of_memory() const;
  // No task is added any more.
  void free_all() {
    Array<Place>().swap(places_);
    Array<Item>().swap(items_);
    Array<uint32_t>().swap(slots_);
    Array<uint8_t>().swap(followed_);
  }
  // Addresses are numbered in the order in which they were first named.
  uint32_t addresses() const { return static_cast<uint32_t>(places_.size()); }
  // TaskGraph::kNone: no memory.
  uint32_t number(uintptr_t address) { return find(address); }

 private:
  // The accesses of the last tasks that named an address, and of those before them that a further one of the same kind
  // follows too.
  struct Place {
    uintptr_t address;
    DependenceKind access;
    DependenceKind asked_access;
    uint32_t asked;        // by this task, in this way
    uint32_t now, before;  // lists
  };
  // Of a list; 0 is the empty one, and item i the list that begins at items_[i - 1].
  struct Item {
    uint32_t next, task;
  };

  uint32_t find(uintptr_t address);
  bool grow();
  bool ask(uint32_t task, std::span<const GraphItem> items);
  void depend_on(uint32_t task, Place& place, DependenceKind access);
  void depend_on_everything(uint32_t task);
  void follow(uint32_t task, uint32_t list);
  void add_edge(uint32_t input, uint32_t task);
  uint32_t put(uint32_t list, uint32_t task);

  TaskGraphBuilder& builder_;
  Array<Place> places_;
  Array<Item> items_;
  Array<uint32_t> slots_;    // of a hash table: a place's number and 1
  Array<uint8_t> followed_;  // by task: something follows it
  uint32_t everything_ = TaskGraph::kNone;  // the last task that named all memory
  uint32_t barrier_ = TaskGraph::kNone;     // the last one that all later ones follow
  uint32_t awaited_ = TaskGraph::kNone;     // the last undeferred one
  bool follows_ = false;  // the task that is being added has an input
  bool short_of_memory_ = false;
};

}  // namespace tulle::omp
