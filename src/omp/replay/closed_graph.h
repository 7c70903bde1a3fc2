// SPDX-License-Identifier: Apache-2.0
// A graph that can be run without the code that created its tasks: for each task the function and the bytes
// that it was given. Immutable once finished, so any number of replays may read it at the same time.
#pragma once

#include <atomic>
#include <span>

#include "base/array.h"
#include "omp/graph/task_graph.h"
#include "omp/queue/task_record.h"
#include "omp/replay/graph_pace.h"

namespace tulle::omp {

// The common part of all tasks of a construct.
struct GraphConstruct {
  TaskFunction function;  // null: nothing to call; a point in time that others wait for
  uint32_t bits;          // TaskBits
  uint32_t bytes;         // of data
  uint32_t alignment;

  bool operator==(const GraphConstruct&) const = default;
};

class ClosedGraph {
 public:
  static constexpr size_t kAlignment = 64;  // of data, at most
  static constexpr size_t kLeastAlignment = 16;  // at least; and the unit of what they take
  static constexpr uint32_t kDiffers = 1;  // in data_at: the task before is of another construct
  static constexpr uint32_t kFewPieces = 4;  // of the least alignment, that may be read beyond a task's data

  uint32_t tasks() const { return graph.tasks(); }
  const GraphConstruct& construct_of(uint32_t task) const {
    return constructs[graph.construct(task)];
  }
  const char* data_of(uint32_t task) const { return captures.data() + (data_at[task] & ~kDiffers); }
  size_t bytes() const {
    return sizeof *this + graph.bytes() + constructs.size() * sizeof(GraphConstruct) +
           data_at.size() * sizeof(uint32_t) + captures.size();
  }

  TaskGraph graph;
  Array<GraphConstruct> constructs;  // by number
  Array<uint32_t> data_at;           // by task, in `captures`; and kDiffers
  Array<char> captures;
  uint32_t pieces = 0;  // as many as the data of the tasks that have most take
  std::atomic<uint32_t> references{1};
  mutable GraphPace pace;
};

// The last one frees it.
void drop(ClosedGraph* graph);

}  // namespace tulle::omp
