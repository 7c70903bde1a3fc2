// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/task_graph_builder.h"

#include <algorithm>

namespace tulle::omp {

uint32_t TaskGraphBuilder::add_task(uint32_t construct, std::span<const uint32_t> loops) {
  uint64_t id = ids_.identify(construct, loops);
  if (id == kNoTaskId || !tasks_.push({id, tasks()})) return TaskGraph::kNone;
  return tasks() - 1;
}

uint32_t TaskGraphBuilder::add_task(uint32_t construct) {
  ids_.constructs = std::max(ids_.constructs, construct + 1);
  return constructs_.push(static_cast<uint16_t>(construct)) ? tasks() - 1 : TaskGraph::kNone;
}

// Those by order stand where they are.
const char* TaskGraphBuilder::sort_tasks(Array<uint32_t>& places) {
  if (!places.resize(tasks())) return "there is no memory for it";
  std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.id < b.id; });
  for (uint32_t i = 0; i < tasks(); ++i) {
    if (!by_order() && i != 0 && tasks_[i - 1].id == tasks_[i].id)
      return "two of its tasks have the same identifier";
    places[by_order() ? i : tasks_[i].number] = i;
  }
  return nullptr;
}

const char* TaskGraphBuilder::sort_edges(const Array<uint32_t>& places) {
  for (Edge& edge : edges_) {
    if (edge.input >= tasks() || edge.task >= tasks()) return "an edge leads nowhere";
    edge = {places[edge.input], places[edge.task]};
  }
  auto order = [](const Edge& a, const Edge& b) {
    return a.input != b.input ? a.input < b.input : a.task < b.task;
  };
  auto same = [](const Edge& a, const Edge& b) { return a.input == b.input && a.task == b.task; };
  std::sort(edges_.begin(), edges_.end(), order);
  edges_.resize(static_cast<size_t>(std::unique(edges_.begin(), edges_.end(), same) - edges_.begin()));
  return edges_.size() >= UINT32_MAX ? "it has too many edges" : nullptr;
}

TaskGraph::Header TaskGraphBuilder::header() const {
  TaskGraph::Header header{};
  header.tasks = tasks();
  header.constructs = static_cast<uint16_t>(std::max(ids_.constructs, 1u));
  header.trips = by_order() ? std::max(tasks(), 1u) : ids_.trips;
  if (by_order())
    header.id_bytes = 2;
  else
    header.id_bytes = tasks() == 0 || tasks_[tasks() - 1].id <= UINT32_MAX ? 4 : 8;
  header.offset_bytes = edges_.size() <= UINT16_MAX ? 2 : 4;
  header.row_bytes = tasks() <= UINT16_MAX + 1u ? 2 : 4;
  return header;
}

void TaskGraphBuilder::fill(TaskGraph& graph) const {
  TaskGraph::Header* header = graph.header_;
  Array<uint16_t> inputs;
  if (!inputs.resize(tasks())) return;
  size_t edge = 0;
  for (uint32_t i = 0; i < tasks(); ++i) {
    TaskGraph::store(graph.ids_at(), header->id_bytes, i, id_of(i));
    TaskGraph::store(graph.offsets_at(), header->offset_bytes, i, edge);
    while (edge < edges_.size() && edges_[edge].input == i) ++edge;
  }
  TaskGraph::store(graph.offsets_at(), header->offset_bytes, tasks(), edge);
  for (edge = 0; edge < edges_.size(); ++edge) {
    TaskGraph::store(graph.rows_at(), header->row_bytes, edge, edges_[edge].task);
    ++inputs[edges_[edge].task];
  }
  if (tasks() != 0) memcpy(graph.inputs_at(), inputs.data(), tasks() * sizeof(uint16_t));
}

TaskGraph TaskGraphBuilder::build(const char** problem, Array<uint32_t>* places) {
  Array<uint32_t> own;
  if (places == nullptr) places = &own;
  *problem = "there is no memory for it";
  if (tasks_.short_of_memory() || constructs_.short_of_memory() || edges_.short_of_memory()) return {};
  *problem = "it has too many constructs";
  if (ids_.constructs > UINT16_MAX) return {};
  *problem = sort_tasks(*places);
  if (*problem == nullptr) *problem = sort_edges(*places);
  if (*problem != nullptr) return {};
  *problem = "there is no memory for it";
  TaskGraph graph = TaskGraph::allocate(header(), static_cast<uint32_t>(edges_.size()));
  if (!graph) return {};
  fill(graph);
  *problem = graph.fault();
  return *problem == nullptr ? static_cast<TaskGraph&&>(graph) : TaskGraph();
}

}  // namespace tulle::omp
