// SPDX-License-Identifier: Apache-2.0
// A graph that unmodified code creates again and again: which code its tasks have, and what they said in their depend
// clauses, with numbers in the place of addresses. Owner: the run that uses it, one at a time.
#pragma once

#include <span>

#include "omp/graph/dependence_order.h"
#include "omp/graph/numbering.h"
#include "omp/graph/recorded_graph.h"
#include "omp/task/task.h"

namespace tulle::omp {

struct RepeatedGraph {
  TaskGraph graph;
  Array<const void*> codes;   // by construct
  Array<uint32_t> item_at;    // by task, and the end
  Array<PatternItem> items;
  Array<uintptr_t> addresses;  // by number
  bool addresses_known = false;  // they are those of this process, all different
  bool in_use = false;           // W: the registry
  uint64_t print = 0;            // GraphPrint
  RepeatedGraph* next = nullptr;  // in the registry

  const void* code_of(uint32_t task) const { return codes[graph.construct(task)]; }
  std::span<const PatternItem> items_of(uint32_t task) const {
    return {items.data() + item_at[task], item_at[task + 1] - item_at[task]};
  }
};

void free_graph(RepeatedGraph* graph);

// The tasks' clauses as one number: two sequences that differ in code, in kinds or in their number have different ones,
// but for chance.
class GraphPrint {
 public:
  void add(const void* code, std::span<const Dependence> list);
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0;
};

// Writes down what tasks say while they run as ever. Owner: the task that creates them.
class PatternRecording {
 public:
  void add(const void* code, std::span<const Dependence> list);
  // Null: `why`, if not null, says what is in the way.
  RepeatedGraph* finish(const char** why);

 private:
  TaskGraphBuilder builder_;
  DependenceOrder order_{builder_};
  GraphPrint print_;
  Numbering<const void*> codes_;
  Array<uint32_t> item_at_;
  Array<PatternItem> items_;
  Array<uintptr_t> addresses_;
  Array<GraphItem> asked_;  // of the task that is being added
  const char* why_ = nullptr;
};

// To a file and back. False, or null: no memory, or it is not of this process's code.
bool describe(const RepeatedGraph& graph, Array<BuildId>& modules, RecordedGraph& recorded);
RepeatedGraph* revive(RecordedGraph& recorded, const Array<BuildId>& modules);

}  // namespace tulle::omp
