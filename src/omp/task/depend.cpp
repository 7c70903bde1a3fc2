// SPDX-License-Identifier: Apache-2.0
// The dependences of a task. For each address a task of the kind of the last ones joins them and follows
// those before (in, inoutset and mutexinoutset: any number side by side); any other begins a new
// generation, which follows the last ones.
#include "omp/task/depend.h"

#include <cstdlib>
#include <new>

#include "omp/queue/depend_node.h"
#include "omp/task/depend_fallback.h"
#include "omp/task/depend_table.h"
#include "omp/task/depend_told.h"
#include "omp/task/repeat.h"
#include "omp/task/task_count.h"
#include "omp/task/task_ready.h"
#include "os/report.h"
#include "sched/event.h"

namespace tulle::omp {

namespace {

DependenceMemory* memory_of(Thread* thread) { return &queue_for(thread)->memory.dependences; }

// Null for an OS thread that is none of the team's.
DependenceMemory* memory_for(Thread* thread, const Task* task) {
  return thread != nullptr && thread->team == task->team ? memory_of(thread) : nullptr;
}

// The depend clauses of one task. `kTells`: tools are told of the edges that lead to it.
template <bool kTells>
class Registration {
 public:
  // `entered`: later siblings will follow the task.
  Registration(Thread* thread, uintptr_t wakes, bool entered, Task* task)
      : memory_(memory_of(thread)),
        table_(table_for_children(thread)),
        node_(memory_, entered),
        task_(task),
        entered_(entered) {
    node_.node()->wakes = wakes;
  }

  DependenceNode* node() const { return node_.node(); }
  void enter(const Dependence* list, size_t count);
  // True if the task may begin.
  bool finish() { return node_.finish(); }

 private:
  void enter(const Dependence* list, size_t count, DependenceEntry** entries);
  void depend_on(DependenceEntry& entry, DependenceKind kind);
  void depend_on_everything();
  void follow_all(NodeList& list);
  void replace_all(NodeList& list);
  template <class Add>
  void add_edge(DependenceNode* predecessor, Add add);
  bool follow(DependenceNode* predecessor) {
    bool follows = false;
    add_edge(predecessor, [&] { follows = node_.follow(predecessor); });
    return follows;
  }
  void replace(DependenceNode* predecessor) {
    add_edge(predecessor, [&] { node_.replace(predecessor); });
  }

  DependenceMemory* memory_;
  DependenceTable* table_;
  NewNode node_;
  Task* task_;
  bool entered_;
};

// Calls add(), which makes this node follow the predecessor if that is not complete.
template <bool kTells>
template <class Add>
void Registration<kTells>::add_edge(DependenceNode* predecessor, Add add) {
  if constexpr (!kTells) {
    add();
  } else {
    ToldEdge edge(predecessor);
    const bool twice = node_.follows_surely(predecessor);
    const int32_t before = node_.edges();
    add();
    if (node_.edges() != before && !twice) edge.tell(task_);
  }
}

// Those that are complete leave the list.
template <bool kTells>
void Registration<kTells>::follow_all(NodeList& list) {
  DependenceNode** kept = list.begin();
  for (DependenceNode* predecessor : list) {
    if (follow(predecessor))
      *kept++ = predecessor;
    else
      unname(memory_, predecessor);
  }
  list.shorten(static_cast<uint32_t>(kept - list.begin()));
}

template <bool kTells>
void Registration<kTells>::replace_all(NodeList& list) {
  for (DependenceNode* predecessor : list) replace(predecessor);
  list.forget();
}

template <bool kTells>
void Registration<kTells>::depend_on(DependenceEntry& entry, DependenceKind kind) {
  if (TULLE_UNLIKELY(kind == DependenceKind::mutexinoutset)) {
    if (entry.exclusion == nullptr) entry.exclusion = new_exclusion();
    node_.exclude(entry.exclusion);
  }
  bool joins = kind != DependenceKind::out && entry.kind == kind && entry.now.size() != 0;
  if (joins) {
    follow_all(entry.before);
  } else if (kind == DependenceKind::out && entered_) {
    // Nobody joins a single writer, so nobody will follow what it follows.
    replace_all(entry.now);
    entry.before.clear(memory_);
    entry.kind = kind;
  } else {
    follow_all(entry.now);
    if (!entered_) return;
    entry.before.clear(memory_);
    NodeList before = entry.before;
    entry.before = entry.now;
    entry.now = before;
    entry.kind = kind;
  }
  if (entered_) entry.now.push(memory_, node());
}

template <bool kTells>
void Registration<kTells>::depend_on_everything() {
  DependenceNode* last = table_->everything;
  if (last != nullptr) follow(last);
  if (entered_) {
    ++node()->named;
    table_->everything = node();
    if (last != nullptr) unname(memory_, last);
  }
  for (uint32_t i = 0; i < table_->room; ++i) {
    DependenceEntry* entry = table_->slots[i].entry;
    if (entry == nullptr) continue;
    if (entered_)
      depend_on(*entry, DependenceKind::out);
    else
      follow_all(entry->now);
  }
}

// An address that a task names twice in different kinds counts as out.
template <bool kTells>
void Registration<kTells>::enter(const Dependence* list, size_t count, DependenceEntry** entries) {
  table_->reserve(memory_, count);
  bool everything = false;
  for (size_t i = 0; i < count; ++i) {
    entries[i] = nullptr;
    if (TULLE_UNLIKELY(list[i].address == nullptr)) {
      everything = true;
      continue;
    }
    DependenceEntry* entry = table_->find_or_add(memory_, list[i].address);
    if (entry->asked < i && entries[entry->asked] == entry) {
      if (entry->asked_kind != list[i].kind) entry->asked_kind = DependenceKind::out;
      continue;
    }
    entries[i] = entry;
    entry->asked = static_cast<uint32_t>(i);
    entry->asked_kind = list[i].kind;
  }
  for (size_t i = 0; i < count; ++i)
    if (entries[i] != nullptr) depend_on(*entries[i], entries[i]->asked_kind);
  if (TULLE_UNLIKELY(everything)) depend_on_everything();
}

template <bool kTells>
void Registration<kTells>::enter(const Dependence* list, size_t count) {
  constexpr size_t kFew = 16;
  DependenceEntry* few[kFew];
  if (TULLE_LIKELY(count <= kFew)) {
    enter(list, count, few);
    return;
  }
  auto** entries = static_cast<DependenceEntry**>(malloc(count * sizeof few[0]));
  if (entries == nullptr) os::fatal("no memory for %zu dependences of a task", count);
  enter(list, count, entries);
  free(entries);
}

void begin(Thread* thread, DependenceNode* node) {
  ult::happens_after(&node->waiting);
  if (TULLE_UNLIKELY((node->wakes & DependenceNode::kEvent) != 0))
    reinterpret_cast<sched::Event*>(node->wakes - DependenceNode::kEvent)->signal();
  else
    make_task_ready(thread, reinterpret_cast<Task*>(node->wakes));
}

}  // namespace

// Later tasks are entered into the table, and so are the pass's.
static void leave_pass(Thread* thread, GraphRun* run) {
  fall_back(memory_of(thread), table_for_children(thread), run,
            [thread](DependenceNode* node) { close_waiter(thread, node); });
}

// The task is entered through a pass of its phase's graph. `ready`: it may begin.
static bool enter_by_graph(Thread* thread, Task* task, const void* code, std::span<const Dependence> list,
                           bool& ready) {
  Entrance entrance = see_task(thread, code, list);
  if (entrance.run == nullptr) return false;
  if (entrance.enters)
    ready = entrance.run->enter(task);
  else
    leave_pass(thread, entrance.run);
  return entrance.enters;
}

template <bool kTells>
static bool enter_task(Thread* thread, Task* task, const Dependence* list, size_t count) {
  Registration<kTells> registration(thread, reinterpret_cast<uintptr_t>(task), true, task);
  task->node = registration.node();
  registration.enter(list, count);
  return registration.finish();
}

bool register_dependences(Thread* thread, Task* task, const Dependence* list, size_t count, const void* code) {
  bool ready;
  if (graphs_repeat() && enter_by_graph(thread, task, code, {list, count}, ready)) return ready;
  if (TULLE_UNLIKELY(edges_are_told(task))) return enter_task<true>(thread, task, list, count);
  return enter_task<false>(thread, task, list, count);
}

void see_waiting(Thread* thread, const Dependence* list, size_t count, const void* code) {
  if (GraphRun* run = see_wait(thread, code, {list, count}).run) leave_pass(thread, run);
}

template <bool kTells>
static WaitingNode enter_waiter(Thread* thread, sched::Event& event, const Dependence* list, size_t count, bool entered,
                                Task* task) {
  Registration<kTells> registration(thread, reinterpret_cast<uintptr_t>(&event) | DependenceNode::kEvent, entered, task);
  registration.enter(list, count);
  return {registration.node(), registration.finish()};
}

WaitingNode register_waiter(Thread* thread, sched::Event& event, const Dependence* list, size_t count, bool entered,
                            Task* task) {
  if (task != nullptr && TULLE_UNLIKELY(edges_are_told(task)))
    return enter_waiter<true>(thread, event, list, count, entered, task);
  return enter_waiter<false>(thread, event, list, count, entered, task);
}

void close_waiter(Thread* thread, DependenceNode* node) {
  close_node(memory_of(thread), node, [thread](DependenceNode* next) { begin(thread, next); });
}

void release_dependences(Thread* thread, Task* task) {
  DependenceNode* node = task->node;
  task->node = nullptr;
  if (GraphSlot* slot = GraphSlot::of(node); TULLE_UNLIKELY(slot != nullptr)) {
    node = slot->run->ended(thread, slot);
    if (TULLE_LIKELY(node == nullptr)) return;
  }
  // The last one made ready is the first that this worker takes: the oldest successor.
  close_node(memory_for(thread, task), node,
             [thread](DependenceNode* next) { begin(thread, next); });
}

static void end_phase_of(DependenceTable* table) {
  if (TULLE_LIKELY(table->phase == nullptr)) return;
  end_phase(table->phase);
  table->phase = nullptr;
}

void after_waiting(Thread* thread, Task* parent) {
  ChildrenObserver* observer = parent->table->observer;
  if (TULLE_LIKELY(observer == nullptr)) return free_dependence_table(thread, parent);
  end_phase_of(parent->table);
  observer->waited(observer);
}

void free_dependence_table(Thread* thread, Task* parent) {
  DependenceTable* table = parent->table;
  parent->table = nullptr;
  if (TULLE_UNLIKELY(table->observer != nullptr)) {
    table->observer->ended(table->observer);
    table->observer = nullptr;
  }
  end_phase_of(table);
  free_table(memory_for(thread, parent), table);
}

}  // namespace tulle::omp
