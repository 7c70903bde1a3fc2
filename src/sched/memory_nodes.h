// SPDX-License-Identifier: Apache-2.0
// Memory by node (NUMA): what a worker touches most lies where that worker is, on machines of several nodes. Workers are
// taken to be where sched/clusters.h expects them. Where there is one node, or a few workers, nothing is placed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "os/memory.h"
#include "topology/topology.h"

namespace tulle::sched {

// The node of nobody in particular: memory comes from where it is touched first.
inline constexpr int kAnyNode = -1;

// Looks whether the machine has several nodes that matter to so many workers. Before any memory is placed; under the pool's lock.
void find_memory_nodes(int workers);

// Of the calling OS thread, by the system's number.
int memory_node_here();

// Memory for something that is never given back; null: there is none.
void* allocate_at_node(int node, size_t alignment, size_t bytes);

// Pages of [address, address + bytes), page-aligned, come from the node from now on; kAnyNode: nothing happens.
void put_at_node(void* address, size_t bytes, int node);

// Which workers are at which node.
class WorkerNodes {
 public:
  WorkerNodes() = default;  // nobody knows
  WorkerNodes(const topology::Tree& machine, uint32_t workers);
  // Workers 0 to `workers` - 1 on this machine.
  static WorkerNodes here(uint32_t workers);

  int of(uint32_t worker) const;  // by the system's number, or kAnyNode

  // Memory for `count` records, placed as below, which is never given back; null: there is none.
  void* allocate(size_t alignment, size_t bytes_of_each, uint32_t count) const;

  // Puts records of workers 0, 1 and so on, which lie one after the other, at their workers' nodes: pages that hold nothing
  // else. put(address, bytes, node) is called for each run of such pages.
  template <class Put>
  void place(void* records, size_t bytes_of_each, Put put) const {
    for (uint32_t i = 0; i < runs_; ++i) {
      const auto begin = reinterpret_cast<uintptr_t>(records) + run_[i].first * bytes_of_each;
      const auto end = reinterpret_cast<uintptr_t>(records) + run_[i].end * bytes_of_each;
      const uintptr_t from = os::whole_pages(begin), to = end / os::page_size() * os::page_size();
      if (from < to) put(reinterpret_cast<void*>(from), to - from, run_[i].node);
    }
  }
  void place(void* records, size_t bytes_of_each) const;

 private:
  struct Run {
    uint32_t first, end;
    int node;
  };
  static constexpr uint32_t kMostRuns = 64;  // workers beyond are at no node

  Run run_[kMostRuns];
  uint32_t runs_ = 0;
};

}  // namespace tulle::sched
