// SPDX-License-Identifier: Apache-2.0
// Builds a static task graph, task by task and edge by edge: by hand, with identifiers that the caller makes
// by Equation 6.1, or in the order of creation. One thread.
#pragma once

#include "base/array.h"
#include "omp/graph/task_graph.h"
#include "omp/graph/task_ids.h"

namespace tulle::omp {

class TaskGraphBuilder {
 public:
  // Tasks get identifiers from `ids`, each with its own.
  explicit TaskGraphBuilder(TaskIds ids) : ids_(ids) {}
  // Tasks are known by the order in which they are added.
  TaskGraphBuilder() : TaskGraphBuilder(TaskIds{0, 0}) {}

  // Returns the task's number for add_edge(); kNone: its identifier is that of no task, see TaskIds.
  uint32_t add_task(uint32_t construct, std::span<const uint32_t> loops);
  uint32_t add_task(uint32_t construct);

  // `task` follows `input`. An edge that is there already changes nothing.
  void add_edge(uint32_t input, uint32_t task) { edges_.push({input, task}); }

  uint32_t tasks() const { return static_cast<uint32_t>(by_order() ? constructs_.size() : tasks_.size()); }

  // Empty if there is no such graph: `problem` says why. `places`, if not null, gets for each number that
  // add_task() returned the task of the graph.
  TaskGraph build(const char** problem, Array<uint32_t>* places = nullptr);

 private:
  struct Task {
    uint64_t id;
    uint32_t number;
  };
  struct Edge {
    uint32_t input, task;
  };

  bool by_order() const { return ids_.trips == 0; }
  uint64_t id_of(uint32_t task) const { return by_order() ? constructs_[task] : tasks_[task].id; }
  const char* sort_tasks(Array<uint32_t>& places);
  const char* sort_edges(const Array<uint32_t>& places);
  TaskGraph::Header header() const;
  void fill(TaskGraph& graph) const;

  TaskIds ids_;
  Array<uint16_t> constructs_;  // by order
  Array<Task> tasks_;           // by identifiers
  Array<Edge> edges_;
};

}  // namespace tulle::omp
