// SPDX-License-Identifier: Apache-2.0
// The node of a task in the graph of dependences. Counted references: the task itself, the table's
// lists, and edges that lead to it. Nodes outlive their tasks as long as the table names them.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/task_record.h"
#include "sched/event.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// A list of nodes that grows; holds a reference on each.
class NodeList {
 public:
  ~NodeList() { clear(); }
  NodeList() = default;
  NodeList(const NodeList&) = delete;
  NodeList& operator=(const NodeList&) = delete;

  uint32_t size() const { return size_; }
  DependenceNode* operator[](uint32_t i) const { return items()[i]; }
  void push(DependenceNode* node);
  void clear();
  void swap(NodeList& other);

 private:
  static constexpr uint32_t kInline = 2;
  DependenceNode* const* items() const { return grown_ != nullptr ? grown_ : inline_; }

  DependenceNode* inline_[kInline];
  DependenceNode** grown_ = nullptr;
  uint32_t size_ = 0;
  uint32_t room_ = kInline;
};

// Mutual exclusion of the tasks that name one address in mutexinoutset.
struct Exclusion {
  sync::Spinlock lock;
  bool held = false;    // under lock
  NodeList waiting;     // under lock, first come first
  uint32_t first = 0;   // under lock: index of the first that still waits
  std::atomic<uint32_t> references{1};
};

struct DependenceNode {
  Task* task = nullptr;           // null: a wait of the parent itself
  sched::Event* event = nullptr;  // signalled instead of making the task ready
  std::atomic<int32_t> waiting{1};  // predecessors that are not complete, and one while it is made
  std::atomic<uint32_t> references{1};
  sync::Spinlock lock;
  bool complete = false;  // under lock
  NodeList successors;    // under lock
  Exclusion** exclusions = nullptr;  // ordered by address; taken one after the other
  uint32_t exclusion_count = 0;
  uint32_t exclusions_held = 0;
};

void drop(DependenceNode* node);

// Takes what is left of the node's exclusions. False: it stands in the list of one that is held.
bool take_exclusions(DependenceNode* node);
// Gives all of them to those who wait next; calls ready(node) for each that has all of its own.
template <class Ready>
void give_exclusions(DependenceNode* node, Ready ready);

// The next one that waits, which holds it from now on; null: it is free.
DependenceNode* pass_on(Exclusion* exclusion);
void add_exclusion(DependenceNode* node, Exclusion* exclusion);

template <class Ready>
void give_exclusions(DependenceNode* node, Ready ready) {
  for (uint32_t i = 0; i < node->exclusion_count; ++i) {
    DependenceNode* next = pass_on(node->exclusions[i]);
    if (next == nullptr) continue;
    ++next->exclusions_held;
    if (take_exclusions(next)) ready(next);
    drop(next);
  }
}

}  // namespace tulle::omp
