// SPDX-License-Identifier: Apache-2.0
// A graph that the program builds task by task, with identifiers by Equation 6.1, and runs as often as it likes. It
// is built by one thread; once it has run it is complete, and any number of threads run it.
#pragma once

#include "omp/graph/task_ids.h"
#include "omp/replay/graph_recording.h"
#include "omp/thread/thread.h"
#include "sync/spinlock.h"

namespace tulle::omp {

class BuiltGraph {
 public:
  // No trips: the identifiers are 0, 1, 2 and so on.
  explicit BuiltGraph(TaskIds ids) : ids_(ids) {}
  ~BuiltGraph() {
    if (complete_ != nullptr) drop(complete_);
  }

  // Its identifier; kNoTaskId: it has none, or the graph is complete. What is wrong is said, once.
  uint64_t add(uint32_t construct, std::span<const uint32_t> loops, TaskFunction function, const void* data,
               size_t bytes);
  // `task` follows `input`, which was added before it.
  void add_edge(uint64_t input, uint64_t task);

  // All tasks as tasks of the current one. Returns when they and their descendants are complete; false: there is
  // no such graph, and nothing has run.
  TULLE_MAY_SUSPEND bool run(Thread* thread);
  // Of the complete graph; 0: it is not complete.
  size_t bytes();

 private:
  struct Named {
    uint64_t id;
    uint32_t number;
  };
  struct Edge {
    uint64_t input, task;
  };

  bool may_grow();
  ClosedGraph* complete();
  const char* complete_locked();
  const char* connect_locked();
  uint32_t number_of(uint64_t id) const;

  const TaskIds ids_;
  Array<Named> tasks_;  // none where the identifiers are the numbers
  Array<Edge> edges_;   // between tasks whose numbers are looked up in the end
  GraphRecording recording_;
  sync::Spinlock lock_;
  bool was_built_ = false;           // under lock_
  ClosedGraph* complete_ = nullptr;  // under lock_; null though built: there is no such graph
};

}  // namespace tulle::omp
