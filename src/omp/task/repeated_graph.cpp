// SPDX-License-Identifier: Apache-2.0
#include "omp/task/repeated_graph.h"

#include "base/create.h"
#include "base/hash.h"
#include "omp/graph/code_places.h"

namespace tulle::omp {

namespace {

constexpr char kNoMemory[] = "there is no memory for it";

}  // namespace

void free_graph(RepeatedGraph* graph) { destroy(graph); }

void GraphPrint::add(const void* code, std::span<const Dependence> list) {
  uint64_t said = reinterpret_cast<uintptr_t>(code);
  for (const Dependence& item : list) said = 4 * said + static_cast<uint64_t>(item.kind) + 1;
  value_ = golden_hash(value_ << 1 | value_ >> 63, said);
}

void PatternRecording::add(const void* code, std::span<const Dependence> list) {
  if (why_ != nullptr) return;
  print_.add(code, list);
  asked_.clear();
  for (const Dependence& item : list) {
    if (item.address == nullptr) why_ = "a task of it depends on omp_all_memory";
    asked_.push({reinterpret_cast<uintptr_t>(item.address), item.kind});
  }
  if (list.size() > UINT16_MAX) why_ = "a task of it has too many dependences";
  if (why_ != nullptr) return;
  order_.add(builder_.add_task(codes_.number_of(code)), {asked_.data(), asked_.size()});
  item_at_.push(static_cast<uint32_t>(items_.size()));
  for (const GraphItem& item : asked_) {
    uint32_t number = order_.number(item.address);
    items_.push(PatternItem::make(number, static_cast<uint32_t>(item.access)));
    if (number == addresses_.size()) addresses_.push(item.address);
  }
}

RepeatedGraph* PatternRecording::finish(const char** why) {
  const char* unused;
  if (why == nullptr) why = &unused;
  item_at_.push(static_cast<uint32_t>(items_.size()));
  *why = kNoMemory;
  if (order_.short_of_memory() || codes_.values().short_of_memory() || item_at_.short_of_memory() ||
      items_.short_of_memory() || addresses_.short_of_memory() || asked_.short_of_memory())
    return nullptr;
  *why = why_;
  if (why_ != nullptr) return nullptr;
  order_.free_all();
  TaskGraph built = builder_.build(why);
  if (!built) return nullptr;
  *why = kNoMemory;
  auto* graph = create<RepeatedGraph>();
  if (graph == nullptr) return nullptr;
  graph->graph.swap(built);
  graph->codes.swap(codes_.values());
  graph->item_at.swap(item_at_);
  graph->items.swap(items_);
  graph->addresses.swap(addresses_);
  graph->addresses_known = true;
  graph->print = print_.value();
  return graph;
}

bool describe(const RepeatedGraph& graph, Array<BuildId>& modules, RecordedGraph& recorded) {
  for (const void* code : graph.codes) {
    CodePlace place{};
    if (!place_of(code, modules, place) || !recorded.constructs.push(place)) return false;
  }
  recorded.region = recorded.constructs[graph.graph.construct(0)];
  for (uint32_t i = 0; i < graph.graph.tasks(); ++i)
    recorded.item_counts.push(static_cast<uint16_t>(graph.items_of(i).size()));
  for (PatternItem item : graph.items) recorded.items.push(item);
  const char* problem = nullptr;
  recorded.graph = TaskGraph::take(graph.graph.block(), graph.graph.bytes(), &problem);
  return problem == nullptr && !recorded.item_counts.short_of_memory() && !recorded.items.short_of_memory();
}

// The next new number, if the items name addresses in the order of their numbers.
static bool in_order(const Array<PatternItem>& items, uint32_t& numbers) {
  numbers = 0;
  for (PatternItem item : items) {
    if (item.address() > numbers) return false;
    if (item.address() == numbers) ++numbers;
  }
  return true;
}

RepeatedGraph* revive(RecordedGraph& recorded, const Array<BuildId>& modules) {
  auto* graph = create<RepeatedGraph>();
  if (graph == nullptr) return nullptr;
  uint32_t numbers = 0, at = 0;
  bool right = recorded.graph.tasks() != 0 && in_order(recorded.items, numbers);
  for (const CodePlace& place : recorded.constructs) {
    const void* code = address_of(modules[place.module], place.offset);
    right = right && code != nullptr && graph->codes.push(code);
  }
  for (uint16_t count : recorded.item_counts) {
    right = right && graph->item_at.push(at);
    at += count;
  }
  right = right && graph->item_at.push(at) && graph->addresses.resize(numbers);
  if (!right) {
    free_graph(graph);
    return nullptr;
  }
  graph->graph.swap(recorded.graph);
  graph->items.swap(recorded.items);
  return graph;
}

}  // namespace tulle::omp
