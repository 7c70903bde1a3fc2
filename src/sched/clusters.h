// SPDX-License-Identifier: Apache-2.0
// Which workers lie together: clusters by the last-level cache that they share, larger ones divided, then groups of
// clusters by node and package. Worker i is taken to be at the i-th CPU in the topology's order (sched/queue_tree.h), so
// each part is a range of workers. Where workers are not bound, or members do not run where they are expected, a
// part is a range of numbers that is as good as another. Never changes once made.
#pragma once

#include <cstdint>

#include "topology/topology.h"

namespace tulle::sched {

// The CPU's position in the machine that a worker of `count` is meant for; where there are more workers than CPUs,
// neighbours share one.
int position_of(uint32_t worker, uint32_t count, const topology::Tree& machine);

// The part of this machine that the process may use, for so many workers; null: all of it, or no memory.
topology::TreePtr usable_part(uint32_t workers);

class Clusters {
 public:
  // Children of one part, which one core looks at, one after the other.
  static constexpr uint32_t kMostWorkers = 8;
  static constexpr uint32_t kMostParts = 16;
  // So many parts without a common one: each looks at all others. Up to sixteen that costs less than one step more.
  static constexpr uint32_t kMostTops = 16;
  static constexpr uint32_t kMostLevels = 8;

  struct Part {
    uint32_t first, end;    // its children: parts, or, of a cluster, workers
    uint32_t first_worker;  // its leader
    uint32_t parent;        // kNone: it is a top
    uint32_t package;       // equal where its memory may have the same home
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  // Of workers 0 to count - 1. Null for no memory.
  static Clusters* make(const topology::Tree& machine, uint32_t count);
  // Likewise, on this machine.
  static Clusters* make_here(uint32_t count);
  static void free(Clusters* clusters);

  // Parts 0 to cluster_count() - 1 are clusters; the last ones are tops.
  uint32_t size() const { return size_; }
  uint32_t cluster_count() const { return clusters_; }
  uint32_t first_top() const { return first_top_; }
  // There are several last-level caches, which workers share: within a cluster a line moves in a part of the time that it
  // takes elsewhere.
  bool share_caches() const { return share_caches_; }
  const Part& operator[](uint32_t part) const { return parts_[part]; }

 private:
  Clusters() = default;
  void add_clusters(const topology::Tree& machine, uint32_t count);
  void add_level(uint32_t first, uint32_t end, bool within_package);
  void add_run(uint32_t first, uint32_t end, uint32_t most, uint32_t package, bool of_workers);

  Part* parts_ = nullptr;
  uint32_t size_ = 0, clusters_ = 0, first_top_ = 0;
  bool share_caches_ = false;
};

}  // namespace tulle::sched
