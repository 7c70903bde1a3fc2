// SPDX-License-Identifier: Apache-2.0
#include "topology/builder.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <new>

namespace tulle::topology {
namespace {

constexpr int kLocalDistance = 10;
constexpr int kRemoteDistance = 20;

}  // namespace

void Builder::add(Kind kind, int os_index, int cache_level, int first, int count) {
  if (count > 0) append(parts_, Part{kind, os_index, cache_level, first, count});
}

void Builder::add_distance(int from_os_index, int to_os_index, int distance) {
  append(distances_, Distance{from_os_index, to_os_index, distance});
}

// Outer before inner, so that one pass with the path to the root in hand finds every parent.
void Builder::sort_parts() {
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.count != b.count) return a.count > b.count;
    if (a.cache_level != b.cache_level && a.cache_level != 0 && b.cache_level != 0)
      return a.cache_level > b.cache_level;
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.os_index < b.os_index;
  });
}

bool Builder::leaves_complete() {
  leaves_ = 0;
  for (const Part& part : parts_) {
    if (part.kind != Kind::cpu) continue;
    if (part.count != 1 || part.first != leaves_ || part.os_index < 0 || part.os_index >= kMaxCpus)
      return false;
    ++leaves_;
  }
  return leaves_ > 0;
}

// A machine around everything, and a core around each processor.
void Builder::add_missing() {
  add(Kind::machine, -1, 0, 0, leaves_);
  int cores_end = 0;
  for (int i = 0, given = parts_.size(); i < given; ++i) {
    const Part part = parts_[i];
    if (part.kind == Kind::core)
      cores_end = std::max(cores_end, part.end());
    else if (part.kind == Kind::cpu && part.first >= cores_end)
      add(Kind::core, -1, 0, part.first, 1);
  }
  sort_parts();
}

bool Builder::has_two_cores(int part) const {
  int cores = 0;
  for (int i = part + 1; i < parts_.size() && parts_[i].first < parts_[part].end(); ++i)
    if (parts_[i].kind == Kind::core && ++cores == 2) return true;
  return false;
}

// Whether the part adds something to what is above it.
bool Builder::wanted(const Tree& tree, int part_index, int parent) const {
  const Part& part = parts_[part_index];
  if (parent < 0) return true;
  if (part.end() > tree[parent].first_leaf + tree[parent].leaves) return false;
  switch (part.kind) {
    case Kind::machine: return false;
    case Kind::core: return tree.ancestor(parent, Kind::core) < 0;
    case Kind::last_cache:
    case Kind::cache:
      return tree.ancestor(parent, Kind::last_cache) < 0 || has_two_cores(part_index);
    case Kind::numa:
    case Kind::package: {
      int same = tree.ancestor(parent, part.kind);
      return same < 0 || tree[same].leaves != part.count;
    }
    case Kind::cpu: return true;
  }
  return false;
}

void Builder::link_nodes(Tree& tree, Node* nodes) const {
  int numbers[kKinds] = {};
  int above = -1;
  for (int i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    while (above >= 0 && part.first >= nodes[above].first_leaf + nodes[above].leaves) {
      nodes[above].end = tree.size_;
      above = nodes[above].parent;
    }
    if (!wanted(tree, i, above)) continue;
    Kind kind = part.kind;
    if (kind == Kind::cache || kind == Kind::last_cache)
      kind = above >= 0 && tree.ancestor(above, Kind::last_cache) >= 0 ? Kind::cache
                                                                      : Kind::last_cache;
    int id = tree.size_++;
    nodes[id] = Node{kind, static_cast<std::uint8_t>(part.cache_level),
                     static_cast<std::int16_t>(above < 0 ? 0 : nodes[above].depth + 1),
                     numbers[static_cast<int>(kind)]++, part.os_index, above, id + 1, part.first,
                     part.count};
    above = id;
  }
  for (; above >= 0; above = nodes[above].parent) nodes[above].end = tree.size_;
}

void Builder::index_nodes(Tree& tree, int* by_kind) const {
  int next = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    tree.kind_start_[kind] = next;
    for (int id = 0; id < tree.size_; ++id)
      if (tree[id].kind == static_cast<Kind>(kind)) by_kind[next++] = id;
  }
  tree.kind_start_[kKinds] = next;
  tree.by_kind_ = by_kind;
}

void Builder::index_distances(Tree& tree, int* matrix) const {
  std::span<const int> nodes = tree.all(Kind::numa);
  int count = static_cast<int>(nodes.size());
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      matrix[from * count + to] = from == to ? kLocalDistance : kRemoteDistance;
  auto number = [&](int os_index) {
    for (int id : nodes)
      if (tree[id].os_index == os_index) return tree[id].number;
    return -1;
  };
  for (const Distance& distance : distances_) {
    int from = number(distance.from), to = number(distance.to);
    if (from >= 0 && to >= 0) matrix[from * count + to] = distance.value;
  }
  tree.distances_ = matrix;
}

// The tree and its arrays are one block. Its size counts all parts, those left out included.
TreePtr Builder::build() {
  sort_parts();
  if (!leaves_complete()) return nullptr;
  add_missing();
  if (out_of_memory_) return nullptr;
  std::size_t parts = static_cast<std::size_t>(parts_.size());
  std::size_t numa = static_cast<std::size_t>(
      std::count_if(parts_.begin(), parts_.end(), [](auto& p) { return p.kind == Kind::numa; }));
  std::size_t integers = parts + numa * numa;
  void* block = malloc(sizeof(Tree) + parts * sizeof(Node) + integers * sizeof(int));
  if (block == nullptr) return nullptr;

  Tree* tree = new (block) Tree;
  Node* nodes = reinterpret_cast<Node*>(tree + 1);
  int* by_kind = reinterpret_cast<int*>(nodes + parts);
  tree->nodes_ = nodes;
  snprintf(tree->source_, sizeof tree->source_, "%s", source_);
  link_nodes(*tree, nodes);
  index_nodes(*tree, by_kind);
  index_distances(*tree, by_kind + parts);
  return TreePtr(tree);
}

void Destroy::operator()(const Tree* tree) const {
  tree->~Tree();
  free(const_cast<Tree*>(tree));
}

}  // namespace tulle::topology
