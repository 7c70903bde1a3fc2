// SPDX-License-Identifier: Apache-2.0
// Queries of a Tree, and trees made of other trees.
#include <stdlib.h>

#include "base/contract.h"
#include "topology/builder.h"
#include "topology/topology.h"

namespace tulle::topology {

const char* name(Kind kind) {
  static constexpr const char* kNames[kKinds] = {"machine", "NUMA node", "package",        "cache",
                                                 "cache",   "core",      "hardware thread"};
  return kNames[static_cast<int>(kind)];
}

std::span<const int> Tree::all(Kind kind) const {
  int k = static_cast<int>(kind);
  return {by_kind_ + kind_start_[k], by_kind_ + kind_start_[k + 1]};
}

CpuSet Tree::cpus(int id) const {
  CpuSet set;
  const Node& node = nodes_[id];
  for (int i = 0; i < node.leaves; ++i) set.add(nodes_[leaf(node.first_leaf + i)].os_index);
  return set;
}

int Tree::ancestor(int id, Kind kind) const {
  while (id >= 0 && nodes_[id].kind != kind) id = nodes_[id].parent;
  return id;
}

int Tree::numa_distance(int from, int to) const {
  int count = static_cast<int>(all(Kind::numa).size());
  TULLE_EXPECT(from >= 0 && from < count && to >= 0 && to < count);
  return distances_[from * count + to];
}

TreePtr from_cpus(const CpuSet& cpus) {
  Builder builder("affinity");
  int position = 0;
  for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu))
    builder.add(Kind::cpu, cpu, 0, position++, 1);
  return builder.build();
}

TreePtr restricted(const Tree& tree, const CpuSet& cpus) {
  // kept[i]: how many of the leaves before position i remain.
  int count = tree.cpu_count();
  int* kept = static_cast<int*>(malloc(sizeof(int) * (static_cast<std::size_t>(count) + 1)));
  if (kept == nullptr) return nullptr;
  kept[0] = 0;
  for (int i = 0; i < count; ++i)
    kept[i + 1] = kept[i] + (cpus.contains(tree[tree.leaf(i)].os_index) ? 1 : 0);

  Builder builder(tree.source());
  for (int id = 0; id < tree.size(); ++id) {
    const Node& node = tree[id];
    int first = kept[node.first_leaf];
    builder.add(node.kind, node.os_index, node.cache_level, first,
                kept[node.first_leaf + node.leaves] - first);
  }
  free(kept);
  for (int from : tree.all(Kind::numa))
    for (int to : tree.all(Kind::numa))
      builder.add_distance(tree[from].os_index, tree[to].os_index,
                           tree.numa_distance(tree[from].number, tree[to].number));
  return builder.build();
}

}  // namespace tulle::topology
