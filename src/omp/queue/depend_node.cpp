// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/depend_node.h"

#include <cstdlib>
#include <new>

#include "os/report.h"

namespace tulle::omp {

void drop(Exclusion* exclusion) {
  ult::happens_before(exclusion);
  if (exclusion->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  ult::happens_after(exclusion);
  free(exclusion);
}

namespace {

TULLE_COLD void free_exclusions(ExclusionSet* set) {
  for (uint32_t i = 0; i < set->count; ++i) drop(set->items[i]);
  ult::happens_after(set);  // pairs with NewNode::exclude
  free(set);
}

}  // namespace

void free_node(DependenceMemory* mine, DependenceNode* node) {
  if (TULLE_UNLIKELY(node->exclusions != nullptr)) free_exclusions(node->exclusions);
  for (EdgeCell* cell = node->cells; cell != nullptr;) {
    EdgeCell* next = cell->next;
    DependenceMemory::free(mine, cell);
    cell = next;
  }
  DependenceMemory::free(mine, node);
}

NewNode::NewNode(DependenceMemory* memory, bool entered)
    : memory_(memory),
      node_(new (memory->allocate()) DependenceNode),
      next_edge_(node_->edges),
      end_(node_->edges + DependenceNode::kEdges) {
  if (!entered) node_->successors.store(DependenceNode::kUnnamed, std::memory_order_relaxed);
}

void NewNode::more_edges() {
  auto* cell = static_cast<EdgeCell*>(memory_->allocate());
  cell->successor = node_;
  cell->next = node_->cells;
  node_->cells = cell;
  next_edge_ = cell->edges;
  end_ = cell->edges + EdgeCell::kEdges;
  far_ = DependenceNode::kFar;
}

// The newest edge of the predecessor leads to this node. (One in a cell is not recognised.)
bool NewNode::follows(const DependenceNode* predecessor) const {
  uintptr_t newest = predecessor->successors.load(std::memory_order_relaxed);  // W: this one
  return (newest & ~uintptr_t{DependenceMemory::kCell - 1}) == reinterpret_cast<uintptr_t>(node_);
}

bool NewNode::follows_surely(const DependenceNode* predecessor) const {
  if (follows(predecessor)) return true;
  const uintptr_t newest = predecessor->successors.load(std::memory_order_relaxed);
  const uintptr_t cell = newest & ~uintptr_t{DependenceMemory::kCell - 1};
  for (const EdgeCell* own = node_->cells; own != nullptr; own = own->next)
    if (reinterpret_cast<uintptr_t>(own) == cell) return true;
  return false;
}

bool NewNode::add_edge(DependenceNode* predecessor, uintptr_t flags) {
  uintptr_t seen = predecessor->successors.load(std::memory_order_acquire);
  if ((seen & DependenceNode::kComplete) != 0) {
    ult::happens_after(&predecessor->successors);
    return false;
  }
  if (TULLE_UNLIKELY(next_edge_ == end_)) more_edges();
  uintptr_t edge = reinterpret_cast<uintptr_t>(next_edge_) | far_;
  *next_edge_ = seen;
  // Nobody but the parent changes the word, except to close it.
  if (!predecessor->successors.compare_exchange_strong(
          seen, edge | flags, std::memory_order_release, std::memory_order_acquire)) {
    ult::happens_after(&predecessor->successors);
    return false;
  }
  ++next_edge_;
  ++edges_;
  return true;
}

bool NewNode::follow(DependenceNode* predecessor) {
  return predecessor == node_ || follows(predecessor) || add_edge(predecessor, 0);
}

void NewNode::replace(DependenceNode* predecessor) {
  if (predecessor->named == 1 && predecessor != node_ && !follows(predecessor)) {
    // Edge and end of its name at once: from then on the node is not to be touched.
    predecessor->named = 0;
    if (!add_edge(predecessor, DependenceNode::kUnnamed)) free_node(memory_, predecessor);
    return;
  }
  follow(predecessor);
  unname(memory_, predecessor);
}

bool NewNode::finish() {
  ult::happens_before(&node_->waiting);
  if (edges_ != 0) {
    int32_t pending = DependenceNode::kBeingMade - edges_;
    if (node_->waiting.fetch_sub(pending, std::memory_order_acq_rel) != pending) return false;
    ult::happens_after(&node_->waiting);
  }
  return ready_but_for_exclusions(node_);
}

void NewNode::exclude(Exclusion* exclusion) {
  ExclusionSet* old = node_->exclusions;
  uint32_t count = old == nullptr ? 0 : old->count;
  auto* set = static_cast<ExclusionSet*>(
      realloc(old, sizeof(ExclusionSet) + (count + 1) * sizeof(Exclusion*)));
  if (set == nullptr) os::fatal("no memory for the dependences of a task");
  exclusion->references.fetch_add(1, std::memory_order_relaxed);  // relaxed: the table holds one
  uint32_t i = count;
  for (; i > 0 && set->items[i - 1] > exclusion; --i) set->items[i] = set->items[i - 1];
  set->items[i] = exclusion;
  set->count = count + 1;
  set->held = 0;
  set->next_waiting = nullptr;
  node_->exclusions = set;
  ult::happens_before(set);
}

bool take_exclusions(DependenceNode* node) {
  ExclusionSet* set = node->exclusions;
  while (set->held < set->count) {
    Exclusion* exclusion = set->items[set->held];
    sync::Guard guard(exclusion->lock);
    if (exclusion->held) {
      ult::happens_before(&node->waiting);  // what came before those that it holds by now
      set->next_waiting = nullptr;
      if (exclusion->first == nullptr)
        exclusion->first = node;
      else
        exclusion->last->exclusions->next_waiting = node;
      exclusion->last = node;
      return false;
    }
    exclusion->held = true;
    ult::happens_after(exclusion);
    ++set->held;
  }
  return true;
}

DependenceNode* pass_on(Exclusion* exclusion) {
  sync::Guard guard(exclusion->lock);
  DependenceNode* next = exclusion->first;
  ult::happens_before(next != nullptr ? static_cast<const void*>(&next->waiting) : exclusion);
  if (next == nullptr)
    exclusion->held = false;
  else
    exclusion->first = next->exclusions->next_waiting;
  return next;
}

}  // namespace tulle::omp
