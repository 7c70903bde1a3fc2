// SPDX-License-Identifier: Apache-2.0
// Makes a Tree out of parts that are given in any order, each a range of processors. One thread
// builds. A part whose range crosses another's has no place in a tree and is left out.
#pragma once

#include "topology/array.h"
#include "topology/topology.h"

namespace tulle::topology {

class Builder {
 public:
  explicit Builder(const char* source) : source_(source) {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // A part that covers the leaves first .. first + count - 1. A processor is a part of one leaf.
  void add(Kind kind, int os_index, int cache_level, int first, int count);

  // Latency between two NUMA nodes by their os_index.
  void add_distance(int from_os_index, int to_os_index, int distance);

  // Null if there is no processor, the leaves are not 0 .. n - 1, or memory is short.
  TreePtr build();

 private:
  struct Part {
    Kind kind;
    int os_index;
    int cache_level;
    int first;
    int count;
    int end() const { return first + count; }
  };
  struct Distance {
    int from;
    int to;
    int value;
  };

  template <class T>
  void append(Array<T>& array, const T& item) {
    out_of_memory_ |= !array.append(item);
  }

  void sort_parts();
  bool leaves_complete();
  void add_missing();
  bool has_two_cores(int part) const;
  bool wanted(const Tree& tree, int part, int parent) const;
  void link_nodes(Tree& tree, Node* nodes) const;
  void index_nodes(Tree& tree, int* by_kind) const;
  void index_distances(Tree& tree, int* matrix) const;

  const char* source_;
  bool out_of_memory_ = false;
  int leaves_ = 0;
  Array<Part> parts_;
  Array<Distance> distances_;
};

}  // namespace tulle::topology
