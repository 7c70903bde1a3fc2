// SPDX-License-Identifier: Apache-2.0
#include "omp/replay/built_graph.h"

#include <algorithm>

#include "omp/replay/graph_region.h"
#include "omp/replay/graph_replay.h"
#include "omp/task/task_bare.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

void tell(const char* problem) {
  if (global_icv().warnings.value) os::report("a task graph that the program builds cannot be run: %s", problem);
}

}  // namespace

bool BuiltGraph::may_grow() {
  sync::Guard guard(lock_);
  return !was_built_;
}

uint64_t BuiltGraph::add(uint32_t construct, std::span<const uint32_t> loops, TaskFunction function,
                         const void* data, size_t bytes) {
  if (!may_grow()) {
    os::report("a task graph that has run is complete: no task is added to it");
    return kNoTaskId;
  }
  uint64_t id = ids_.trips == 0 ? recording_.tasks() : ids_.identify(construct, loops);
  if (id == kNoTaskId)
    recording_.leave_out("a construct's number or a loop's counter is not below its bound, or they are too large");
  else if (bytes > UINT32_MAX)
    recording_.leave_out("a task's data take more than 4 GiB");
  if (id == kNoTaskId || bytes > UINT32_MAX) return kNoTaskId;
  if (ids_.trips != 0) tasks_.push({id, recording_.tasks()});
  recording_.add({function, 0, static_cast<uint32_t>(bytes), ClosedGraph::kLeastAlignment}, data, nullptr, 0);
  return id;
}

void BuiltGraph::add_edge(uint64_t input, uint64_t task) {
  if (!may_grow())
    os::report("a task graph that has run is complete: no dependence is added to it");
  else if (ids_.trips == 0 && input < task && task < recording_.tasks())
    recording_.add_edge(static_cast<uint32_t>(input), static_cast<uint32_t>(task));
  else
    edges_.push({input, task});
}

uint32_t BuiltGraph::number_of(uint64_t id) const {
  if (ids_.trips == 0) return id < recording_.tasks() ? static_cast<uint32_t>(id) : TaskGraph::kNone;
  auto* at = std::lower_bound(tasks_.begin(), tasks_.end(), id,
                              [](const Named& task, uint64_t wanted) { return task.id < wanted; });
  return at != tasks_.end() && at->id == id ? at->number : TaskGraph::kNone;
}

const char* BuiltGraph::connect_locked() {
  std::sort(tasks_.begin(), tasks_.end(), [](const Named& a, const Named& b) { return a.id < b.id; });
  for (size_t i = 1; i < tasks_.size(); ++i)
    if (tasks_[i - 1].id == tasks_[i].id) return "two of its tasks have the same identifier";
  for (const Edge& edge : edges_) {
    uint32_t input = number_of(edge.input), task = number_of(edge.task);
    if (input == TaskGraph::kNone || task == TaskGraph::kNone) return "a dependence names a task that it does not have";
    if (input >= task) return "a task follows one that was not added before it";
    recording_.add_edge(input, task);
  }
  return nullptr;
}

const char* BuiltGraph::complete_locked() {
  was_built_ = true;
  const char* problem = "there is no memory for it";
  if (!tasks_.short_of_memory() && !edges_.short_of_memory()) problem = connect_locked();
  if (problem == nullptr) complete_ = recording_.finish(&problem);
  Array<Named>().swap(tasks_);
  Array<Edge>().swap(edges_);
  return complete_ == nullptr ? problem : nullptr;
}

ClosedGraph* BuiltGraph::complete() {
  const char* problem = nullptr;
  ClosedGraph* graph;
  {
    sync::Guard guard(lock_);
    if (!was_built_) problem = complete_locked();
    graph = complete_;
  }
  if (problem != nullptr) tell(problem);
  return graph;
}

bool BuiltGraph::run(Thread* thread) {
  ClosedGraph* graph = complete();
  if (graph == nullptr) return false;
  leave_out_of_graph(thread, "it runs a graph that the program builds");
  recorded_task(thread);
  stay_in_thread(thread);
  replay(thread, *graph);
  return true;
}

size_t BuiltGraph::bytes() {
  sync::Guard guard(lock_);
  return complete_ == nullptr ? 0 : complete_->bytes();
}

}  // namespace tulle::omp
