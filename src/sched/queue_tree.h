// SPDX-License-Identifier: Apache-2.0
// The tree of runqueues that policies see: it mirrors the part of the machine that the workers use,
// with a leaf for each of them and only such parts above that have more than one child. A leaf is its worker's
// own runqueue, where it has one. The shape never changes while a tree is in force, so any thread may read it; what
// policies place in the runqueues belongs to a PolicyHost. Worker i is meant for the i-th CPU in the tree's order;
// where there are more workers than CPUs, neighbours share one.
#pragma once

#include <cstdint>
#include <span>

#include "sched/runqueue.h"
#include "topology/topology.h"

namespace tulle::sched {

class QueueTree {
 public:
  // `own`: the runqueue of a worker, which becomes its leaf; null, or no function: one of the tree's.
  // Null for no memory.
  static QueueTree* make(const topology::Tree& machine, uint32_t workers, Runqueue* (*own)(uint32_t worker) = nullptr);
  // Nobody looks at it any more.
  static void destroy(QueueTree* tree);

  // Workers that `served` of its leaves and their binding are right for. W: who made them so, with release.
  std::atomic<uint32_t> ready_for{0};

  Runqueue* root() const { return queues_[0]; }
  Runqueue* leaf(uint32_t worker) const { return leaves_[worker]; }
  uint32_t leaves() const { return leaf_count_; }
  std::span<Runqueue* const> queues() const { return {queues_, size_}; }

 private:
  QueueTree() = default;

  void add_parts(const topology::Tree& machine, Runqueue** of_part);
  void add_leaves(const topology::Tree& machine, Runqueue** of_part);
  void link_children();
  Runqueue* add(Runqueue* parent, tulle_level level, uint32_t first, uint32_t count);
  uint32_t workers_before(uint32_t position) const;

  Runqueue* (*own_)(uint32_t worker) = nullptr;
  Runqueue* made_ = nullptr;  // the tree's own, first come first served
  Runqueue** queues_ = nullptr;
  Runqueue** leaves_ = nullptr;
  Runqueue** children_ = nullptr;
  uint32_t made_count_ = 0;
  uint32_t size_ = 0;
  uint32_t leaf_count_ = 0;
  uint32_t cpus_ = 0;
};

}  // namespace tulle::sched
