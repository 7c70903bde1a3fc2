// SPDX-License-Identifier: Apache-2.0
// The machine as a tree, or a machine that is not this one: places and runqueues are computed from
// it. A Tree never changes once built, so any thread may read it; whoever builds one owns it.
// Nodes are numbered in preorder: a node's descendants are the ids from id + 1 to node.end - 1, its
// first child is id + 1 and the next sibling of a child c is nodes[c].end. The leaves, one for each
// processor, are ordered so that every node covers a range of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/cpu_set.h"

namespace tulle::topology {

// Outermost first. A NUMA node stands inside a package if it is smaller than the package. The
// outermost cache above a core is its last_cache; caches below it are kept only if cores share
// them. Machine, core and cpu are always there; the others need not be.
enum class Kind : std::uint8_t { machine, numa, package, last_cache, cache, core, cpu };
inline constexpr int kKinds = 7;

const char* name(Kind kind);

struct Node {
  Kind kind;
  std::uint8_t cache_level;  // of a cache: 1 and up
  std::int16_t depth;        // the root has 0
  int number;                // among the nodes of its kind, in the tree's order
  int os_index;              // the operating system's number, or -1
  int parent;                // -1 at the root
  int end;                   // one past the last descendant
  int first_leaf;
  int leaves;
};

class Tree {
 public:
  static constexpr int kRoot = 0;

  int size() const { return size_; }
  const Node& operator[](int id) const { return nodes_[id]; }
  const char* source() const { return source_; }

  // Ids of all nodes of a kind, in the tree's order.
  std::span<const int> all(Kind kind) const;

  // Processors, by position in the tree.
  int cpu_count() const { return static_cast<int>(all(Kind::cpu).size()); }
  int leaf(int position) const { return all(Kind::cpu)[position]; }
  CpuSet cpus(int id) const;

  // The nearest node of the kind at or above `id`; -1 if there is none.
  int ancestor(int id, Kind kind) const;

  // Relative memory latency between two NUMA nodes, by Node::number: 10 within one, as in the
  // firmware's tables; 20 across where the machine does not say.
  int numa_distance(int from, int to) const;

 private:
  friend class Builder;
  Tree() = default;

  int size_ = 0;
  int kind_start_[kKinds + 1] = {};
  const Node* nodes_ = nullptr;
  const int* by_kind_ = nullptr;
  const int* distances_ = nullptr;  // a square matrix over NUMA nodes, or null
  char source_[16] = "";
};

struct Destroy {
  void operator()(const Tree* tree) const;
};
using TreePtr = std::unique_ptr<const Tree, Destroy>;

// This machine. Built at the first call and kept, from the kernel's files; from what hwloc finds where these tell
// nothing, or where one of hwloc's own variables is set; and from the affinity mask where neither tells anything.
const Tree& machine();
// Whether it was built: then it takes neither time nor stack.
bool machine_is_known();

// This machine, all of it that the process's control group shows. Takes milliseconds and some 100 KB of stack. Null
// if hwloc's module is not installed, as below.
TreePtr from_hwloc();

// Null if the text or file is not understood.
TreePtr from_synthetic(const char* description);
TreePtr from_xml(const char* path);

// One core for each processor and no more: what the affinity mask alone tells. Null for no memory.
TreePtr from_cpus(const CpuSet& cpus);

// What the kernel's files tell of the processors that are switched on, and those in `also`. `root`
// stands before every path. Null if they tell of nothing that lies together.
TreePtr from_sysfs(const char* root, const CpuSet& also);

// The part of a tree that the processors in `cpus` make up; nodes without any are left out. Null if
// nothing is left.
TreePtr restricted(const Tree& tree, const CpuSet& cpus);

}  // namespace tulle::topology
