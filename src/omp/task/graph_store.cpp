// SPDX-License-Identifier: Apache-2.0
#include "omp/task/graph_store.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/hash.h"
#include "base/look.h"
#include "omp/graph/graph_file.h"
#include "omp/queue/task_policy.h"
#include "omp/task/repeat.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {

std::atomic<void (*)()> before_writing{nullptr};

std::atomic<GraphMode> graph_mode{GraphMode::unknown};

namespace {

// The history of phases that begin with this code. Never freed.
struct Entry {
  Entry* next;
  const void* code;
  uint64_t print;    // of the last one that was watched
  bool seen;         // `print` is set
  bool repeats;      // the last two were alike
  uint32_t changes;  // graphs that did not hold
  bool left_out;
};

constexpr size_t kBuckets = 256;
constexpr uint32_t kMostChanges = 8;   // then it is left alone
constexpr uint32_t kMostGraphs = 256;  // of one process
TULLE_HELD_AT_FORK sync::Spinlock storing;
Entry* buckets[kBuckets];       // under `storing`, as all below
RepeatedGraph* graphs;
uint32_t graph_count;
const char* path;  // to be written at the end
pid_t writer;
std::atomic<uint64_t> replayed{0};

Entry* entry_locked(const void* code) {
  static_assert(kBuckets == 1 << 8);
  Entry*& first = buckets[golden_hash(code) >> 56];
  for (Entry* entry = first; entry != nullptr; entry = entry->next)
    if (entry->code == code) return entry;
  auto* entry = static_cast<Entry*>(calloc(1, sizeof(Entry)));
  if (entry == nullptr) os::fatal("no memory for task graphs");
  entry->next = first;
  entry->code = code;
  return first = entry;
}

RepeatedGraph* graph_locked(const void* code) {
  for (RepeatedGraph* graph = graphs; graph != nullptr; graph = graph->next)
    if (!graph->in_use && graph->code_of(0) == code) return graph;
  return nullptr;
}

void add_locked(RepeatedGraph* graph) {
  graph->next = graphs;
  graphs = graph;
  ++graph_count;
}

void remove_locked(RepeatedGraph* graph) {
  RepeatedGraph** link = &graphs;
  while (*link != graph) link = &(*link)->next;
  *link = graph->next;
  --graph_count;
}

bool has_print_locked(uint64_t print) {
  for (RepeatedGraph* graph = graphs; graph != nullptr; graph = graph->next)
    if (graph->print == print) return true;
  return false;
}

void load(const char* file) {
  RecordedGraphs recorded;
  const char* problem = nullptr;
  if (!load_graphs(file, recorded, &problem)) {
    os::report("TULLE_TASK_GRAPH: \"%s\" is not replayed: %s", file, problem);
    return;
  }
  size_t strange = 0;
  for (size_t i = 0; i < recorded.count; ++i) {
    if (recorded.graphs[i].id != 0) continue;
    RepeatedGraph* graph = revive(recorded.graphs[i], recorded.modules);
    if (graph == nullptr)
      ++strange;
    else
      add_locked(graph);
  }
  if (strange != 0)
    os::report("TULLE_TASK_GRAPH: \"%s\" has %zu graphs of code that is not in this program: they are not replayed",
               file, strange);
}

// After main(), and after whatever the program does at its exit.
__attribute__((destructor)) void write_graphs() {
  if (auto* complete = before_writing.load(std::memory_order_acquire)) complete();
  sync::Guard guard(storing);
  if (path == nullptr || writer != getpid()) return;
  RecordedGraphs recorded;
  const char* problem = "there is no memory for it";
  bool right = recorded.allocate(graph_count);
  RepeatedGraph* graph = graphs;
  for (size_t i = graph_count; right && i-- > 0; graph = graph->next)  // the oldest first
    right = describe(*graph, recorded.modules, recorded.graphs[i]);
  if (!right || !save_graphs(path, recorded, &problem))
    os::report("TULLE_TASK_GRAPH: \"%s\" cannot be written: %s", path, problem);
}

const char* path_after(const char* text, const char* word) {
  size_t length = strlen(word);
  return strncasecmp(text, word, length) == 0 ? text + length : nullptr;
}

}  // namespace

bool open_graph_store() {
  sync::Guard guard(storing);
  if (graph_mode != GraphMode::unknown) return graph_mode != GraphMode::off;
  const char* text = global_icv().task_graph.value;
  GraphMode mode = text == nullptr ? GraphMode::off : GraphMode::automatic;
  if (text == nullptr) {
  } else if (const char* file = path_after(text, "record:")) {
    path = file;
    writer = getpid();
    mode = GraphMode::record;
  } else if (const char* stored = path_after(text, "replay:")) {
    load(stored);
    mode = graphs != nullptr ? GraphMode::replay : GraphMode::off;
  }
  if (mode == GraphMode::record) look_at_tasks(true);
  graph_mode.store(mode, std::memory_order_relaxed);
  return mode != GraphMode::off;
}

PhasePlan plan_phase(const void* code) {
  sync::Guard guard(storing);
  Entry* entry = entry_locked(code);
  if (entry->left_out) return {};
  bool full = graph_count >= kMostGraphs;
  if (graph_mode == GraphMode::record) return {nullptr, !full, false};
  if (RepeatedGraph* graph = graph_locked(code)) {
    graph->in_use = true;
    return {graph, false, false};
  }
  // A file says what there is; what differs from it is recorded anew, as ever.
  bool watches = graph_mode == GraphMode::automatic || entry->changes != 0;
  bool records = watches && entry->repeats && !full;
  return {nullptr, records, watches && !records};
}

void count_replayed(uint64_t tasks) { replayed.fetch_add(tasks, std::memory_order_relaxed); }  // guards nothing
uint64_t tasks_replayed() { return replayed.load(std::memory_order_relaxed); }

void give_back_graph(RepeatedGraph* graph, bool same) {
  const void* code = graph->code_of(0);
  bool tell = false;
  {
    sync::Guard guard(storing);
    graph->in_use = false;
    if (same) return;
    remove_locked(graph);
    Entry* entry = entry_locked(code);
    entry->repeats = true;  // recording starts anew
    tell = ++entry->changes == kMostChanges && global_icv().warnings.value;
    entry->left_out = entry->changes >= kMostChanges;
  }
  free_graph(graph);
  if (tell)
    os::report("the task graph that begins with the task at %p changes each time: it is not replayed", code);
}

void keep_print(const void* code, uint64_t print) {
  sync::Guard guard(storing);
  Entry* entry = entry_locked(code);
  entry->repeats = entry->seen && entry->print == print;
  entry->seen = true;
  entry->print = print;
}

void keep_graph(const void* code, RepeatedGraph* graph, const char* why) {
  bool tell = false, known = false;
  {
    sync::Guard guard(storing);
    Entry* entry = entry_locked(code);
    entry->repeats = false;
    if (graph == nullptr) {
      tell = !entry->left_out && global_icv().warnings.value;
      entry->left_out = true;
    } else {
      known = graph_mode == GraphMode::record && has_print_locked(graph->print);
      if (!known) add_locked(graph);
    }
  }
  if (known) free_graph(graph);
  if (tell) os::report("the task graph that begins with the task at %p is not replayed: %s", code, why);
}

}  // namespace tulle::omp
