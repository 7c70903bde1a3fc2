// SPDX-License-Identifier: Apache-2.0
#include "omp/replay/graph_registry.h"

#include <cstdlib>

#include "base/hash.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

enum class State : uint8_t { unknown, being_recorded, known, left_out };

// The state of a region. Never freed.
struct Entry {
  Entry* next;
  GraphName name;
  State state;
  bool said;           // why it is left out
  ClosedGraph* graph;  // where it is known
};

constexpr size_t kBuckets = 256;
TULLE_HELD_AT_FORK sync::Spinlock registry;
Entry* buckets[kBuckets];  // under `registry`

Entry* entry_locked(GraphName name) {
  uint64_t hash = golden_hash(static_cast<uint64_t>(name.names), name.number);
  static_assert(kBuckets == 1 << 8);
  Entry*& first = buckets[hash >> 56];
  for (Entry* entry = first; entry != nullptr; entry = entry->next)
    if (entry->name == name) return entry;
  auto* entry = static_cast<Entry*>(malloc(sizeof(Entry)));
  if (entry == nullptr) os::fatal("no memory for a task graph");
  *entry = {first, name, State::unknown, false, nullptr};
  return first = entry;
}

ClosedGraph* forget_locked(Entry* entry) {
  ClosedGraph* graph = entry->graph;
  entry->graph = nullptr;
  if (entry->state != State::being_recorded) entry->state = State::unknown;
  return graph;
}

}  // namespace

GraphPlan plan_graph(GraphName name, bool anew) {
  ClosedGraph* forgotten = nullptr;
  GraphPlan plan{};
  {
    sync::Guard guard(registry);
    Entry* entry = entry_locked(name);
    if (anew) forgotten = forget_locked(entry);
    plan.graph = entry->graph;
    if (plan.graph != nullptr) plan.graph->references.fetch_add(1, std::memory_order_relaxed);  // the entry has one
    plan.records = entry->state == State::unknown;
    if (plan.records) entry->state = State::being_recorded;
  }
  if (forgotten != nullptr) drop(forgotten);
  return plan;
}

void keep_graph(GraphName name, ClosedGraph* graph, const char* why) {
  bool tell;
  {
    sync::Guard guard(registry);
    Entry* entry = entry_locked(name);
    entry->graph = graph;
    entry->state = graph != nullptr ? State::known : State::left_out;
    tell = graph == nullptr && !entry->said && global_icv().warnings.value;
    entry->said |= tell;
  }
  if (tell)
    os::report("task graph %llu is not replayed, its code runs each time: %s",
               static_cast<unsigned long long>(name.number), why);
}

void forget_graph(GraphName name) {
  ClosedGraph* graph;
  {
    sync::Guard guard(registry);
    graph = forget_locked(entry_locked(name));
  }
  if (graph != nullptr) drop(graph);
}

}  // namespace tulle::omp
