// SPDX-License-Identifier: Apache-2.0
// A binomial tree whose shape follows from a hash, so that no part of it is known before it is reached.
#ifndef UTS_TREE_H
#define UTS_TREE_H

#include <stdint.h>

enum { ROOT = 1, ROOT_CHILDREN = 500, CHILDREN = 8 };
static const double BRANCHING = 0.1242;  // probability of CHILDREN children; subcritical below 1/8

static uint64_t child_of(uint64_t node, int number) {
  uint64_t x = node + 0x9e3779b97f4a7c15u * (uint64_t)(number + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int children_of(uint64_t node) {
  return (double)(node >> 11) * 0x1p-53 < BRANCHING ? CHILDREN : 0;
}

static int64_t count_sequentially(uint64_t node, int children) {
  int64_t n = 1;
  for (int i = 0; i < children; i++) {
    uint64_t child = child_of(node, i);
    n += count_sequentially(child, children_of(child));
  }
  return n;
}

#endif
