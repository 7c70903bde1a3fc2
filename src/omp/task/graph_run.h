// SPDX-License-Identifier: Apache-2.0
// One pass through a repeated graph whose tasks the program's code creates: the n-th task has to say what was
// recorded of it, and then its place in the graph tells what it waits for, with no address hashed. On the first
// difference the pass stops: no task enters it any more, and those that are not complete get nodes in the ordinary
// table, so that later ones follow them.
// Ordering: counters as graph_counters.h says; a task's slot is written before its creation is counted. Stopping:
// a task is marked complete, hot fence, looks whether the pass was stopped; who stops it says so, heavy fence, looks
// which tasks are complete. Then one of the two sees the other, and the lock decides who closes the task's node.
// Owner: the table of the creating task, until all tasks are complete. Model: tests/models/graph_run.pml.
#pragma once

#include "omp/graph/graph_counters.h"
#include "omp/queue/depend_node.h"
#include "omp/task/repeated_graph.h"
#include "sync/spinlock.h"

namespace tulle::omp {

class GraphRun;

// The data of a task in a pass, in the place of a node.
struct alignas(16) GraphSlot {
  GraphRun* run;
  Task* task;

  static constexpr uintptr_t kTag = 1;

  DependenceNode* as_node() { return reinterpret_cast<DependenceNode*>(reinterpret_cast<uintptr_t>(this) | kTag); }
  // Null: the node is one.
  static GraphSlot* of(const DependenceNode* node) {
    auto word = reinterpret_cast<uintptr_t>(node);
    return (word & kTag) == 0 ? nullptr : reinterpret_cast<GraphSlot*>(word - kTag);
  }
};

class GraphRun {
 public:
  // Null: no memory.
  static GraphRun* make(RepeatedGraph* graph);
  static void free(GraphRun* run);

  RepeatedGraph* graph() const { return graph_; }
  // All tasks so far were as recorded, and none is missing.
  uint32_t entered() const { return entered_; }
  bool at_end() const { return next_ == tasks_; }
  // From here on the graph is somebody else's.
  void leave_graph();

  // Whether the next task is as recorded; then it is the next one, for enter().
  bool match(const void* code, std::span<const Dependence> list);
  // Enters the task that matched last. True: nothing holds it back.
  bool enter(Task* task);

  // A task is complete. Returns a node that is to be closed, or null.
  DependenceNode* ended(Thread* thread, GraphSlot* slot);

  // The pass ends here: visit(items, attach) for each task that is not complete, in the order of their
  // creation; attach(node): false if it is complete by now, and nobody closes the node.
  template <class Visit>
  void stop(Visit visit) {
    announce_stop();
    for (uint32_t i = 0; i < entered_; ++i)
      if (counters_.state(i) >= 0)
        visit(items_of(i), [this, i](DependenceNode* node) { return attach(i, node); });
  }
  uintptr_t address(PatternItem item) const { return addresses_[item.address()]; }

 private:
  explicit GraphRun(RepeatedGraph* graph);
  ~GraphRun();

  bool names(uint32_t number, uintptr_t address);
  bool names_new(uint32_t number, uintptr_t address);
  bool name_anew(uint32_t number, uintptr_t address);
  bool begin_to_name_anew();
  bool add_name(uint32_t number);
  void announce_stop();
  bool attach(uint32_t task, DependenceNode* node);
  std::span<const PatternItem> items_of(uint32_t task) const { return graph_->items_of(task); }

  RepeatedGraph* graph_;
  const uint32_t tasks_;
  GraphCounters counters_;
  GraphSlot* slots_;
  DependenceNode** nodes_ = nullptr;  // by task, under lock_; once stopped
  uintptr_t* addresses_;              // by number
  Array<uint32_t> names_;             // a hash table of addresses_[0, named_), where they are new: a number and 1
  uint32_t next_ = 0;                 // task
  uint32_t entered_ = 0;  // tasks below were entered, and may be alive
  uint32_t named_ = 0;                // numbers below are named by the tasks so far
  bool anew_;                         // addresses are not those of the last pass
  TULLE_CACHE_ALIGNED std::atomic<bool> stopped_{false};  // W: the creating task; R: whoever completes one
  sync::Spinlock lock_;
};

}  // namespace tulle::omp
