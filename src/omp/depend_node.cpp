// SPDX-License-Identifier: Apache-2.0
#include "omp/depend_node.h"

#include <cstdlib>
#include <utility>

#include "os/report.h"

namespace tulle::omp {

namespace {

void* grow(void* memory, size_t bytes) {
  void* grown = realloc(memory, bytes);
  if (grown == nullptr) os::fatal("no memory for the dependences of a task");
  return grown;
}

void drop(Exclusion* exclusion) {
  if (exclusion->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  exclusion->~Exclusion();
  free(exclusion);
}

}  // namespace

void NodeList::push(DependenceNode* node) {
  node->references.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller holds one
  if (size_ == room_) {
    room_ *= 4;
    bool first = grown_ == nullptr;
    grown_ = static_cast<DependenceNode**>(grow(grown_, room_ * sizeof *grown_));
    if (first)
      for (uint32_t i = 0; i < kInline; ++i) grown_[i] = inline_[i];
  }
  (grown_ != nullptr ? grown_ : inline_)[size_++] = node;
}

void NodeList::clear() {
  if (size_ == 0) return;  // and so nothing was grown
  for (uint32_t i = 0; i < size_; ++i) drop(items()[i]);
  free(grown_);
  grown_ = nullptr;
  size_ = 0;
  room_ = kInline;
}

void NodeList::swap(NodeList& other) {
  for (uint32_t i = 0; i < kInline; ++i) std::swap(inline_[i], other.inline_[i]);
  std::swap(grown_, other.grown_);
  std::swap(size_, other.size_);
  std::swap(room_, other.room_);
}

void drop(DependenceNode* node) {
  // The last one that holds it needs no exchange: nobody else can take a reference any more.
  if (node->references.load(std::memory_order_acquire) != 1 &&
      node->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  for (uint32_t i = 0; i < node->exclusion_count; ++i) drop(node->exclusions[i]);
  free(node->exclusions);
  node->~DependenceNode();
  free(node);
}

void add_exclusion(DependenceNode* node, Exclusion* exclusion) {
  exclusion->references.fetch_add(1, std::memory_order_relaxed);  // relaxed: the table holds one
  node->exclusions = static_cast<Exclusion**>(
      grow(node->exclusions, (node->exclusion_count + 1) * sizeof *node->exclusions));
  uint32_t i = node->exclusion_count++;
  for (; i > 0 && node->exclusions[i - 1] > exclusion; --i)
    node->exclusions[i] = node->exclusions[i - 1];
  node->exclusions[i] = exclusion;
}

bool take_exclusions(DependenceNode* node) {
  // Always in the order of addresses, so that no two nodes wait for each other.
  while (node->exclusions_held < node->exclusion_count) {
    Exclusion* exclusion = node->exclusions[node->exclusions_held];
    sync::Guard guard(exclusion->lock);
    if (exclusion->held) {
      exclusion->waiting.push(node);
      return false;
    }
    exclusion->held = true;
    ++node->exclusions_held;
  }
  return true;
}

DependenceNode* pass_on(Exclusion* exclusion) {
  sync::Guard guard(exclusion->lock);
  if (exclusion->first == exclusion->waiting.size()) {
    exclusion->held = false;
    exclusion->waiting.clear();
    exclusion->first = 0;
    return nullptr;
  }
  DependenceNode* next = exclusion->waiting[exclusion->first++];
  next->references.fetch_add(1, std::memory_order_relaxed);  // the caller's, who drops it
  return next;
}

}  // namespace tulle::omp
