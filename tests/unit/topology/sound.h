// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "topology/topology.h"

namespace tulle::topology {

inline int count(const Tree& tree, Kind kind) { return static_cast<int>(tree.all(kind).size()); }

// What the header promises of every tree.
inline void expect_sound(const Tree& tree) {
  ASSERT_GT(tree.size(), 0);
  EXPECT_EQ(tree[0].kind, Kind::machine);
  EXPECT_EQ(tree[0].parent, -1);
  EXPECT_EQ(tree[0].end, tree.size());
  EXPECT_EQ(tree[0].leaves, tree.cpu_count());
  for (int id = 1; id < tree.size(); ++id) {
    const Node& node = tree[id];
    ASSERT_GE(node.parent, 0);
    ASSERT_LT(node.parent, id);
    const Node& parent = tree[node.parent];
    EXPECT_EQ(node.depth, parent.depth + 1);
    EXPECT_LE(node.end, parent.end);
    EXPECT_GE(node.first_leaf, parent.first_leaf);
    EXPECT_LE(node.first_leaf + node.leaves, parent.first_leaf + parent.leaves);
    if (node.kind == Kind::cache && parent.kind == Kind::cache) {
      EXPECT_LT(node.cache_level, parent.cache_level);
    } else if (node.kind != Kind::numa) {
      EXPECT_NE(node.kind, parent.kind);
    }
    EXPECT_EQ(tree.all(node.kind)[node.number], id);
    int leaves = node.kind == Kind::cpu ? 1 : 0;
    for (int child = id + 1; child < node.end; child = tree[child].end) {
      EXPECT_EQ(tree[child].parent, id);
      leaves += tree[child].leaves;
    }
    EXPECT_EQ(leaves, node.leaves);
    EXPECT_EQ(tree.cpus(id).count(), node.leaves);
  }
  for (int i = 0; i < tree.cpu_count(); ++i) {
    int leaf = tree.leaf(i);
    EXPECT_EQ(tree[leaf].first_leaf, i);
    EXPECT_GE(tree.ancestor(leaf, Kind::core), 0);
  }
}

}  // namespace tulle::topology
