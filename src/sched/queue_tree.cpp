// SPDX-License-Identifier: Apache-2.0
#include "sched/queue_tree.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace tulle::sched {

namespace {

static_assert(static_cast<int>(topology::Kind::machine) == TULLE_LEVEL_MACHINE &&
              static_cast<int>(topology::Kind::numa) == TULLE_LEVEL_NUMA &&
              static_cast<int>(topology::Kind::package) == TULLE_LEVEL_PACKAGE &&
              static_cast<int>(topology::Kind::last_cache) == TULLE_LEVEL_LAST_CACHE &&
              static_cast<int>(topology::Kind::cache) == TULLE_LEVEL_CACHE &&
              static_cast<int>(topology::Kind::core) == TULLE_LEVEL_CORE &&
              static_cast<int>(topology::Kind::cpu) == TULLE_LEVEL_CPU);

template <class T>
T* allocate(std::size_t count) {
  void* memory = aligned_alloc(alignof(T), count * sizeof(T));
  if (memory != nullptr) memset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}

}  // namespace

// How many workers are meant for CPUs before `position`.
uint32_t QueueTree::workers_before(uint32_t position) const {
  if (leaf_count_ <= cpus_) return position < leaf_count_ ? position : leaf_count_;
  return static_cast<uint32_t>((uint64_t{position} * leaf_count_ + cpus_ - 1) / cpus_);
}

Runqueue* QueueTree::add(Runqueue* parent, tulle_level level, uint32_t first, uint32_t count) {
  Runqueue* queue = count == 1 && own_ != nullptr ? own_(first) : nullptr;
  if (queue == nullptr) queue = new (&made_[made_count_++]) Runqueue;
  queues_[size_++] = queue;
  queue->parent = parent;
  queue->level = level;
  queue->first_leaf = first;
  queue->leaves = count;
  return queue;
}

// A part whose workers are all those of the part around it has no runqueue of its own.
void QueueTree::add_parts(const topology::Tree& machine, Runqueue** of_part) {
  for (int id = 0; id < machine.size(); ++id) {
    const topology::Node& node = machine[id];
    Runqueue* parent = node.parent < 0 ? nullptr : of_part[node.parent];
    uint32_t first = workers_before(static_cast<uint32_t>(node.first_leaf));
    uint32_t end = workers_before(static_cast<uint32_t>(node.first_leaf + node.leaves));
    of_part[id] = parent;
    if (end == first || (parent != nullptr && end - first == parent->leaves)) continue;
    of_part[id] = add(parent, static_cast<tulle_level>(node.kind), first, end - first);
  }
}

void QueueTree::add_leaves(const topology::Tree& machine, Runqueue** of_part) {
  for (uint32_t worker = 0, position = 0; worker < leaf_count_; ++worker) {
    while (workers_before(position + 1) <= worker) ++position;
    int part = machine.leaf(static_cast<int>(position));
    Runqueue* queue = of_part[part];
    if (queue->leaves > 1) queue = add(queue, TULLE_LEVEL_CPU, worker, 1);
    queue->level = TULLE_LEVEL_CPU;
    queue->cpu = machine[part].os_index;
    leaves_[worker] = queue;
  }
}

void QueueTree::link_children() {
  // Counted first; then each queue's children stand together, in the order of their leaves.
  auto* counts = children_ + size_;
  uint32_t next = 0;
  for (uint32_t i = 0; i < size_; ++i) {
    uint32_t count = 0;
    Runqueue* queue = queues_[i];
    for (uint32_t leaf = queue->first_leaf; queue->leaves > 1 && leaf < queue->first_leaf + queue->leaves; ++count) {
      Runqueue* child = leaves_[leaf];
      while (child->parent != queue) child = child->parent;
      counts[count] = child;
      leaf = child->first_leaf + child->leaves;
    }
    for (uint32_t c = 0; c < count; ++c) children_[next + c] = counts[c];
    queue->children = {children_ + next, count};
    next += count;
  }
}

QueueTree* QueueTree::make(const topology::Tree& machine, uint32_t workers, Runqueue* (*own)(uint32_t worker)) {
  auto* tree = static_cast<QueueTree*>(malloc(sizeof(QueueTree)));
  if (tree == nullptr) return nullptr;
  new (tree) QueueTree;
  tree->own_ = own;
  tree->leaf_count_ = workers;
  tree->cpus_ = static_cast<uint32_t>(machine.cpu_count());
  // Each runqueue that is not a leaf has two children or more.
  tree->made_ = allocate<Runqueue>(2 * std::size_t{workers});
  tree->queues_ = allocate<Runqueue*>(2 * std::size_t{workers});
  tree->leaves_ = allocate<Runqueue*>(workers);
  tree->children_ = allocate<Runqueue*>(4 * std::size_t{workers});
  auto** of_part = allocate<Runqueue*>(static_cast<std::size_t>(machine.size()));
  bool complete = tree->made_ && tree->queues_ && tree->leaves_ && tree->children_ && of_part;
  if (complete) {
    tree->add_parts(machine, of_part);
    tree->add_leaves(machine, of_part);
    tree->link_children();
  } else {
    destroy(tree);
  }
  free(of_part);
  return complete ? tree : nullptr;
}

void QueueTree::destroy(QueueTree* tree) {
  for (void* memory : {static_cast<void*>(tree->made_), static_cast<void*>(tree->queues_),
                       static_cast<void*>(tree->leaves_), static_cast<void*>(tree->children_)})
    free(memory);
  free(tree);
}

}  // namespace tulle::sched
