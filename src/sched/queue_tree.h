// SPDX-License-Identifier: Apache-2.0
// The tree of runqueues that policies see: it mirrors the part of the machine that the workers use,
// with a leaf for each of them and only such parts above that have more than one child. The shape
// never changes, so any thread may read it; what stands in the runqueues belongs to a PolicyHost.
// Worker i is meant for the i-th CPU in the tree's order; where there are more workers than CPUs,
// neighbours share one.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/cacheline.h"
#include "base/list.h"
#include "sync/spinlock.h"
#include "topology/topology.h"
#include "tulle/policy.h"

namespace tulle::sched {

struct TULLE_PAIR_ALIGNED TreeQueue {
  // Fixed.
  TreeQueue* parent = nullptr;
  std::span<TreeQueue*> children;
  uint32_t first_leaf = 0;
  uint32_t leaves = 0;
  tulle_level level = TULLE_LEVEL_MACHINE;
  int cpu = -1;  // of a leaf: the operating system's number

  bool covers(uint32_t leaf) const { return leaf - first_leaf < leaves; }

  // W: the host; of what stands here also takers (sched/placing.h), whom `lock` keeps off one another.
  bool served = true;         // leaf: there is a worker that looks here
  sync::Spinlock lock;
  Link standing;              // entities, oldest first
  std::atomic<uint32_t> threads{0};  // that stand here, in closed bubbles too; R: any, as a hint
  std::atomic<double> load_below{0};     // here and below, running threads included; W: takers without the lock
  std::atomic<uint32_t> loads_below{0};  // how many threads that is the load of
  bool fresh = false;         // something came to stand here since the host was asked last
  TreeQueue* next_fresh = nullptr;
};

class QueueTree {
 public:
  // Null for no memory. The tree is never freed: workers look at it without a lock.
  static QueueTree* make(const topology::Tree& machine, uint32_t workers);

  TreeQueue* root() { return queues_; }
  TreeQueue* leaf(uint32_t worker) const { return leaves_[worker]; }
  uint32_t leaves() const { return leaf_count_; }
  uint32_t size() const { return size_; }
  std::span<TreeQueue> queues() { return {queues_, size_}; }

 private:
  QueueTree() = default;

  void add_parts(const topology::Tree& machine, TreeQueue** of_part);
  void add_leaves(const topology::Tree& machine, TreeQueue** of_part);
  void link_children();
  TreeQueue* add(TreeQueue* parent, tulle_level level, uint32_t first, uint32_t count);
  uint32_t workers_before(uint32_t position) const;

  TreeQueue* queues_ = nullptr;
  TreeQueue** leaves_ = nullptr;
  TreeQueue** children_ = nullptr;
  uint32_t size_ = 0;
  uint32_t leaf_count_ = 0;
  uint32_t cpus_ = 0;
};

}  // namespace tulle::sched
