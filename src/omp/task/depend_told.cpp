// SPDX-License-Identifier: Apache-2.0
#include "omp/task/depend_told.h"

#include <algorithm>

#include "omp/tool/events.h"

namespace tulle::omp {

bool tools_want_edges() { return tool::wants(tool::Event::task_dependence); }

// What waits for an event, and what a repeated graph left behind, is no task.
ToldEdge::ToldEdge(const DependenceNode* predecessor) {
  if (predecessor->wakes == 0 || (predecessor->wakes & DependenceNode::kEvent) != 0) return;
  const tool::OfTask* record = reinterpret_cast<const Task*>(predecessor->wakes)->tool;
  if (record == nullptr || !record->created) return;
  known_ = true;
  std::copy(record->data, record->data + tool::kTools, data_);
}

void ToldEdge::tell(Task* successor) {
  if (!known_) return;
  tool::OfTask& record = tool::of(successor);
  tool::tell<tool::Event::task_dependence>(
      [&](auto callback, uint32_t tool) { callback(&data_[tool], &record.data[tool]); });
}

void note_ready(Task* task) {
  if ((task->bits & kTaskWatched) != 0) ult::happens_before(task);
  if ((task->bits & kTaskObserved) != 0) tool::task_ready(task);
}

}  // namespace tulle::omp
