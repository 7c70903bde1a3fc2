// SPDX-License-Identifier: Apache-2.0
// Tools are told of the edges between tasks (task_dependence) by the thread that adds them, and that what a task follows is
// complete.
#pragma once

#include "omp/queue/depend_node.h"
#include "omp/tool/interface.h"
#include "omp/tool/tools.h"

namespace tulle::omp {

// Some tool wants to know of each edge that leads to this task.
TULLE_COLD bool tools_want_edges();
inline bool edges_are_told(const Task* task) {
  return TULLE_UNLIKELY((task->bits & kTaskObserved) != 0) && tools_want_edges();
}

// A copy of what tools keep at a predecessor, made before the edge is added: once it is, the predecessor may be
// complete, and its record another task's. If the edge could be added the copy is of the predecessor.
class ToldEdge {
 public:
  explicit ToldEdge(const DependenceNode* predecessor);
  void tell(Task* successor);

 private:
  bool known_ = false;
  tool::Data data_[tool::kTools];
};

// Tools and race detectors are told that a task may begin, by whoever is about to put it where it can be found.
TULLE_COLD void note_ready(Task* task);

}  // namespace tulle::omp
