// SPDX-License-Identifier: Apache-2.0
// The node of a task in the graph of dependences: one cache line. Only who runs the parent makes nodes
// and adds edges; who completes the task closes its list of successors, once. An edge is a word that
// leads to the predecessor's next one. It lies in the successor's node or in a cell of that, so edges
// need no memory of their own and no references: a successor cannot begin, and so not end, before
// all its predecessors have gone through their edges. A node lives until its task is complete and
// the parent's table names it no more.
// Ordering: add_edge's exchange (release) pairs with close's (acquire): the edge and its successor are
// as made. close's (release) pairs with the parent's loads of `successors` (acquire): what the task
// did is seen. `waiting` is a sequence of releases, which the last one acquires.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/queue/depend_memory.h"
#include "omp/queue/task_record.h"
#include "sched/event.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// Further edges that lead to one node.
struct TULLE_CACHE_ALIGNED EdgeCell {
  static constexpr uint32_t kEdges = 6;

  DependenceNode* successor;
  EdgeCell* next;
  uintptr_t edges[kEdges];
};

// Mutual exclusion of the tasks that name one address in mutexinoutset. References: the table, sets.
struct Exclusion {
  sync::Spinlock lock;
  bool held TULLE_GUARDED_BY(lock) = false;
  DependenceNode* first TULLE_GUARDED_BY(lock) = nullptr;  // who waits, through ExclusionSet::next_waiting
  DependenceNode* last TULLE_GUARDED_BY(lock) = nullptr;
  std::atomic<uint32_t> references{1};
};

// Those that a task takes, ordered by address, one after the other: so no two wait for each other.
struct ExclusionSet {
  uint32_t count;
  uint32_t held;  // W: whoever could make the task ready but for these
  DependenceNode* next_waiting;
  Exclusion* items[];
};

struct TULLE_CACHE_ALIGNED DependenceNode {
  // Flags of `successors`; the rest is the newest edge.
  static constexpr uintptr_t kComplete = 1;
  static constexpr uintptr_t kUnnamed = 2;  // the table names it no more
  static constexpr uintptr_t kFar = 4;      // the edge lies in an EdgeCell
  static constexpr int32_t kBeingMade = 1 << 30;
  static constexpr uint32_t kEdges = 3;

  std::atomic<uintptr_t> successors{0};      // W: parent; whoever completes the task
  std::atomic<int32_t> waiting{kBeingMade};  // predecessors that are not complete; W: those, parent
  uint32_t named = 0;                        // lists of the table that name it; W: parent
  static constexpr uintptr_t kEvent = 1;     // flag of `wakes`
  uintptr_t wakes = 0;                       // the task to make ready, or an event and kEvent
  ExclusionSet* exclusions = nullptr;        // malloc'ed
  EdgeCell* cells = nullptr;
  uintptr_t edges[kEdges];

  bool complete() const { return (successors.load(std::memory_order_acquire) & kComplete) != 0; }
};
static_assert(sizeof(DependenceNode) == DependenceMemory::kCell);
static_assert(sizeof(EdgeCell) == DependenceMemory::kCell);

// Nobody refers to the node any more. `mine`: memory of the calling worker; null: it has none.
void free_node(DependenceMemory* mine, DependenceNode* node);
void drop(Exclusion* exclusion);

// A node while its parent makes it.
class NewNode {
 public:
  // `entered`: the table will name it, so that later siblings follow it.
  NewNode(DependenceMemory* memory, bool entered);

  DependenceNode* node() const { return node_; }
  int32_t edges() const { return edges_; }
  // An edge from the predecessor leads here already.
  bool follows_surely(const DependenceNode* predecessor) const;
  // False: the predecessor is complete, there is nothing to follow.
  bool follow(DependenceNode* predecessor);
  // The same for a predecessor that one list of the table names no more.
  void replace(DependenceNode* predecessor);
  void exclude(Exclusion* exclusion);
  // All is said. True if it waits for nothing.
  bool finish();

 private:
  bool add_edge(DependenceNode* predecessor, uintptr_t flags);
  bool follows(const DependenceNode* predecessor) const;
  TULLE_NOINLINE void more_edges();

  DependenceMemory* memory_;
  DependenceNode* node_;
  uintptr_t* next_edge_;
  uintptr_t* end_;
  uintptr_t far_ = 0;  // or kFar
  int32_t edges_ = 0;
};

// Takes what is left of the node's exclusions. False: it waits for one that is held.
bool take_exclusions(DependenceNode* node);
// The next one that waits, which holds it from now on; null: it is free.
DependenceNode* pass_on(Exclusion* exclusion);

inline bool ready_but_for_exclusions(DependenceNode* node) {
  return TULLE_LIKELY(node->exclusions == nullptr) || take_exclusions(node);
}

// Gives the node's exclusions to those who wait next; ready(next) for each that has all of its own.
template <class Ready>
void give_exclusions(DependenceNode* node, Ready ready) {
  ExclusionSet* set = node->exclusions;
  if (TULLE_LIKELY(set == nullptr)) return;
  for (uint32_t i = 0; i < set->count; ++i) {
    DependenceNode* next = pass_on(set->items[i]);
    if (next == nullptr) continue;
    ++next->exclusions->held;
    if (take_exclusions(next)) ready(next);
  }
}

inline DependenceNode* successor_of(uintptr_t edge) {
  uintptr_t cell = edge & ~uintptr_t{DependenceMemory::kCell - 1};
  return (edge & DependenceNode::kFar) == 0 ? reinterpret_cast<DependenceNode*>(cell)
                                            : reinterpret_cast<EdgeCell*>(cell)->successor;
}

inline uintptr_t next_edge(uintptr_t edge) {
  return *reinterpret_cast<uintptr_t*>(edge & ~DependenceNode::kFar);
}

// One predecessor less. True if the node may begin.
inline bool one_less(DependenceNode* node) {
  ult::happens_before(&node->waiting);
  // The last one needs no exchange: nobody else changes the number any more.
  if (node->waiting.load(std::memory_order_acquire) != 1 &&
      node->waiting.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return false;
  return ready_but_for_exclusions(node);
}

// The task is complete. ready(node) for each that waited for it last, newest first.
template <class Ready>
void close_node(DependenceMemory* mine, DependenceNode* node, Ready ready) {
  give_exclusions(node, ready);
  ult::happens_before(&node->successors);
  uintptr_t was = node->successors.exchange(DependenceNode::kComplete, std::memory_order_acq_rel);
  if ((was & DependenceNode::kUnnamed) != 0) free_node(mine, node);
  for (uintptr_t edge = was & ~DependenceNode::kUnnamed; edge != 0;) {
    DependenceNode* successor = successor_of(edge);
    edge = next_edge(edge);
    if (one_less(successor)) ready(successor);
  }
}

// A list of the table names the node no more.
inline void unname(DependenceMemory* mine, DependenceNode* node) {
  if (--node->named != 0) return;
  uintptr_t seen = node->successors.load(std::memory_order_acquire);
  if ((seen & DependenceNode::kComplete) == 0)
    seen = node->successors.fetch_or(DependenceNode::kUnnamed, std::memory_order_acq_rel);
  if ((seen & DependenceNode::kComplete) != 0) free_node(mine, node);
}

}  // namespace tulle::omp
