// SPDX-License-Identifier: Apache-2.0
// The tree of runqueues of this process's workers, and their binding to the CPUs of their leaves. It is built at the
// first need, for the number of workers that there should be then, and goes with the pool when that number changes.
#pragma once

#include <cstdint>

#include "sched/queue_tree.h"
#include "sched/worker.h"

namespace tulle::sched {

// The tree if something has asked for it already, else null; and that, built if need be: null for no memory.
QueueTree* known_tree();
QueueTree* tree_of_workers();

// Where the search of `w` for what is placed begins: its own leaf, leaf 0 for foreign workers, for spares that of the
// worker that they stand in for.
inline Runqueue* leaf_of(const QueueTree* tree, const Worker* w) {
  uint32_t leaf = w->leaf.load(std::memory_order_relaxed);  // of a spare it may be an old one
  return tree->leaf(leaf < tree->leaves() ? leaf : tree->leaves() - 1);
}

// For records of where threads ran: a worker's leaf, and the CPU of a leaf (-1: not known). Both build the tree.
uint32_t leaf_number(const Worker* w);
int cpu_of_leaf(uint32_t leaf);

// Binds each of the pool's workers to its leaf's CPU, now and those that start later; others leave the CPU that their
// maker is bound to.
void bind_pool(const QueueTree* tree, uint32_t pool);
void bind_worker(Worker* w);
void unbind_thread();

// The pool has ended, or there is one thread left.
void forget_tree();

}  // namespace tulle::sched
