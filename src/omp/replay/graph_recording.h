// SPDX-License-Identifier: Apache-2.0
// The tasks of a region's encountering task, written down while they are created and run as ever. What
// cannot be run again without the code that created it makes the whole recording void, with a reason. Owner:
// the task that encountered the region.
#pragma once

#include <span>

#include "omp/graph/dependence_order.h"
#include "omp/graph/numbering.h"
#include "omp/replay/closed_graph.h"
#include "omp/task/task.h"

namespace tulle::omp {

class GraphRecording {
 public:
  // A task with these data, before its body can change them.
  void add(const GraphConstruct& construct, const void* data, const Dependence* list, size_t count);
  // One without a body.
  void add_empty(const Dependence* list, size_t count);
  uint32_t tasks() const { return builder_.tasks(); }
  // Beside those of the lists: the second of these tasks follows the first.
  void add_edge(uint32_t input, uint32_t task) { builder_.add_edge(input, task); }
  // The creating task waits for the last one that was added before it goes on.
  void wait_for_last();
  // The creating task waits for all of them, or for what the list depends on.
  void wait_for_all();
  void wait_for(const Dependence* list, size_t count);

  void leave_out(const char* why) {
    if (left_out_ == nullptr) left_out_ = why;
  }

  // Null: `why` says what is in the way.
  ClosedGraph* finish(const char** why);

 private:
  uint32_t next_task(const GraphConstruct& construct, const void* data);
  void order(uint32_t task, const Dependence* list, size_t count);

  TaskGraphBuilder builder_;
  DependenceOrder order_{builder_};
  Array<GraphItem> items_;  // of the task that is being added
  Numbering<GraphConstruct> constructs_;
  Array<uint32_t> data_at_;
  Array<char> captures_;
  const char* left_out_ = nullptr;
};

}  // namespace tulle::omp
