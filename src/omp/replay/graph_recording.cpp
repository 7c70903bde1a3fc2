// SPDX-License-Identifier: Apache-2.0
#include "omp/replay/graph_recording.h"

#include <algorithm>

#include "base/create.h"

namespace tulle::omp {

namespace {

constexpr GraphConstruct kNothing{nullptr, 0, 0, 1};

}  // namespace

void drop(ClosedGraph* graph) {
  if (graph->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(graph);
}

uint32_t GraphRecording::next_task(const GraphConstruct& construct, const void* data) {
  constexpr size_t kStep = ClosedGraph::kLeastAlignment;
  size_t step = construct.alignment > kStep ? ClosedGraph::kAlignment : kStep;
  size_t at = (captures_.size() + step - 1) & ~(step - 1);
  if (at + construct.bytes > UINT32_MAX) leave_out("its tasks' data take more than 4 GiB");
  size_t end = at + ((construct.bytes + kStep - 1) & ~(kStep - 1));
  if (left_out_ != nullptr || (end > captures_.room() && !captures_.reserve(end + end / 2))) return TaskGraph::kNone;
  captures_.resize(end);
  if (construct.bytes != 0) memcpy(captures_.data() + at, data, construct.bytes);
  data_at_.push(static_cast<uint32_t>(at));
  return builder_.add_task(constructs_.number_of(construct));
}

void GraphRecording::order(uint32_t task, const Dependence* list, size_t count) {
  items_.clear();
  for (size_t i = 0; i < count; ++i)
    items_.push({reinterpret_cast<uintptr_t>(list[i].address), list[i].kind});
  order_.add(task, {items_.data(), items_.size()});
}

void GraphRecording::add(const GraphConstruct& construct, const void* data, const Dependence* list,
                         size_t count) {
  if (construct.alignment > ClosedGraph::kAlignment) leave_out("a task's data are aligned too far");
  uint32_t task = next_task(construct, data);
  if (task != TaskGraph::kNone) order(task, list, count);
}

void GraphRecording::wait_for_last() {
  if (left_out_ == nullptr && builder_.tasks() != 0) order_.wait_for(builder_.tasks() - 1);
}

void GraphRecording::wait_for_all() {
  uint32_t task = next_task(kNothing, nullptr);
  if (task != TaskGraph::kNone) order_.add_barrier(task);
}

void GraphRecording::add_empty(const Dependence* list, size_t count) {
  add(kNothing, nullptr, list, count);
}

void GraphRecording::wait_for(const Dependence* list, size_t count) {
  add_empty(list, count);
  wait_for_last();
}

static uint32_t most_pieces(const ClosedGraph& graph) {
  uint32_t most = 0;
  for (const GraphConstruct& construct : graph.constructs) most = std::max(most, construct.bytes);
  return most / ClosedGraph::kLeastAlignment + (most % ClosedGraph::kLeastAlignment != 0 ? 1 : 0);
}

ClosedGraph* GraphRecording::finish(const char** why) {
  *why = "there is no memory for it";
  if (items_.short_of_memory() || constructs_.values().short_of_memory() || data_at_.short_of_memory() ||
      captures_.short_of_memory() || order_.short_of_memory())
    return nullptr;
  *why = left_out_;
  if (left_out_ != nullptr) return nullptr;
  order_.free_all();
  TaskGraph built = builder_.build(why);
  if (!built) return nullptr;
  *why = "there is no memory for it";
  auto* graph = create<ClosedGraph>();
  if (graph == nullptr) return nullptr;
  graph->graph.swap(built);
  graph->constructs.swap(constructs_.values());
  graph->data_at.swap(data_at_);
  graph->captures.swap(captures_);
  for (uint32_t i = 1; i < graph->tasks(); ++i)
    if (graph->graph.construct(i) != graph->graph.construct(i - 1)) graph->data_at[i] |= ClosedGraph::kDiffers;
  graph->pieces = most_pieces(*graph);
  graph->data_at.shrink();
  if (!graph->captures.resize(graph->captures.size() + ClosedGraph::kFewPieces * ClosedGraph::kLeastAlignment)) {
    destroy(graph);
    return nullptr;
  }
  graph->captures.shrink();
  return graph;
}

}  // namespace tulle::omp
