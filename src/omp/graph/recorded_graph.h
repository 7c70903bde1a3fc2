// SPDX-License-Identifier: Apache-2.0
// The record of a region whose task graph is known: whose graph it is, which functions its tasks have,
// and what they said in their depend clauses, with numbers in the place of addresses. Code is known by the
// build id of its module and an offset there, never by address. Owner: one thread.
#pragma once

#include <span>

#include "base/array.h"
#include "omp/graph/task_graph.h"

namespace tulle::omp {

// A module by its build id; `size` 0: it has none.
struct BuildId {
  static constexpr uint8_t kMost = 32;

  uint8_t size;
  uint8_t bytes[kMost];

  bool operator==(const BuildId& other) const {
    return size == other.size && memcmp(bytes, other.bytes, size) == 0;
  }
};

// A function or another place in a module's code.
struct CodePlace {
  uint64_t module;  // of RecordedGraphs::modules
  uint64_t offset;

  bool operator==(const CodePlace&) const = default;
};

// One item of a depend clause: the number of its address, in the order in which addresses were first named,
// and how it is accessed (DependenceKind). The highest number stands for omp_all_memory.
struct PatternItem {
  static constexpr uint32_t kAllMemory = UINT32_MAX >> 2;

  uint32_t word;

  static constexpr PatternItem make(uint32_t address, uint32_t access) {
    return {address << 2 | access};
  }
  constexpr uint32_t address() const { return word >> 2; }
  constexpr uint32_t access() const { return word & 3; }
  bool operator==(const PatternItem&) const = default;
};

struct RecordedGraph {
  CodePlace region;             // where it begins
  uint64_t id = 0;              // the program's own, if it gave one
  TaskGraph graph;
  Array<CodePlace> constructs;  // by number
  Array<uint16_t> item_counts;  // by task
  Array<PatternItem> items;     // of all tasks, one after the other
};

struct RecordedGraphs {
  Array<BuildId> modules;
  RecordedGraph* graphs = nullptr;
  size_t count = 0;

  RecordedGraphs() = default;
  ~RecordedGraphs();
  RecordedGraphs(const RecordedGraphs&) = delete;
  RecordedGraphs& operator=(const RecordedGraphs&) = delete;

  // Makes room for so many, all empty. False: no memory.
  bool allocate(size_t graphs_count);
};

}  // namespace tulle::omp
