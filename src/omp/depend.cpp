// SPDX-License-Identifier: Apache-2.0
// The table of a parent: for each address the tasks that named it last in one kind (`now`) and
// those that they follow (`before`). A task of the same kind joins `now` and follows `before` (in,
// inoutset and mutexinoutset: any number side by side); any other begins a new generation.
#include "omp/depend.h"

#include <cstdlib>
#include <new>

#include "omp/depend_node.h"
#include "omp/task_internal.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

struct Entry {
  void* address = nullptr;
  DependenceKind kind = DependenceKind::in;
  NodeList now;
  NodeList before;
  Exclusion* exclusion = nullptr;
};

template <class T>
T* make(size_t count = 1) {
  void* memory = malloc(count * sizeof(T));
  if (memory == nullptr) os::fatal("no memory for the dependences of a task");
  T* items = static_cast<T*>(memory);
  for (size_t i = 0; i < count; ++i) new (&items[i]) T;
  return items;
}

}  // namespace

// Entries stand in the order in which their addresses came, in blocks that never move; the slots that
// are searched are small, so that a table of many addresses is cheap to make, to search and to leave.
struct DependenceTable {
  static constexpr uint32_t kBlock = 64;

  uint32_t room = 0;  // slots; power of two
  uint32_t used = 0;  // entries
  uint32_t* slots = nullptr;  // by hash: number of an entry and one; 0: free
  Entry** blocks = nullptr;   // room for `room / kBlock` and one
  DependenceNode* everything = nullptr;  // the last task that named omp_all_memory

  Entry& entry(uint32_t number) const { return blocks[number / kBlock][number % kBlock]; }
};

namespace {

uint32_t slot_of(const DependenceTable* table, const void* address) {
  uint64_t key = reinterpret_cast<uintptr_t>(address);
  return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15u) >> 32) & (table->room - 1);
}

void free_entry(Entry& entry) {
  if (entry.exclusion != nullptr &&
      entry.exclusion->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    entry.exclusion->~Exclusion();
    free(entry.exclusion);
  }
  entry.~Entry();
}

// The address's slot, or the free one where it belongs.
uint32_t probe(const DependenceTable* table, const void* address) {
  uint32_t slot = slot_of(table, address);
  while (table->slots[slot] != 0 && table->entry(table->slots[slot] - 1).address != address)
    slot = (slot + 1) & (table->room - 1);
  return slot;
}

void grow(DependenceTable* table) {
  table->room = table->room == 0 ? 16 : table->room * 2;
  free(table->slots);
  table->slots = static_cast<uint32_t*>(calloc(table->room, sizeof(uint32_t)));
  size_t blocks = table->room / DependenceTable::kBlock + 1;
  table->blocks = static_cast<Entry**>(realloc(table->blocks, blocks * sizeof(Entry*)));
  if (table->slots == nullptr || table->blocks == nullptr)
    os::fatal("no memory for the dependences of a task");
  for (uint32_t i = 0; i < table->used; ++i)
    table->slots[probe(table, table->entry(i).address)] = i + 1;
}

Entry& find_or_add(DependenceTable* table, void* address) {
  if (2 * table->used >= table->room) grow(table);
  uint32_t& slot = table->slots[probe(table, address)];
  if (slot != 0) return table->entry(slot - 1);
  uint32_t number = table->used++;
  slot = number + 1;
  if (number % DependenceTable::kBlock == 0)
    table->blocks[number / DependenceTable::kBlock] = make<Entry>(DependenceTable::kBlock);
  Entry& entry = table->entry(number);
  entry.address = address;
  entry.kind = DependenceKind::out;
  if (table->everything != nullptr) entry.now.push(table->everything);
  return entry;
}

DependenceTable* table_of(Task* parent) {
  if (parent->table == nullptr) parent->table = make<DependenceTable>();
  return parent->table;
}

void follow(DependenceNode* node, DependenceNode* predecessor) {
  if (predecessor == node) return;
  sync::Guard guard(predecessor->lock);
  if (predecessor->complete) return;
  node->waiting.fetch_add(1, std::memory_order_relaxed);  // relaxed: its maker holds one
  predecessor->successors.push(node);
}

void follow_all(DependenceNode* node, const NodeList& list) {
  for (uint32_t i = 0; i < list.size(); ++i) follow(node, list[i]);
}

// `enter`: later siblings will follow the node.
void depend_on(DependenceTable* table, DependenceNode* node, void* address, DependenceKind kind,
               bool enter) {
  Entry& entry = find_or_add(table, address);
  bool joins = kind != DependenceKind::out && entry.kind == kind && entry.now.size() != 0;
  if (kind == DependenceKind::mutexinoutset) {
    if (entry.exclusion == nullptr) entry.exclusion = make<Exclusion>();
    add_exclusion(node, entry.exclusion);
  }
  follow_all(node, joins ? entry.before : entry.now);
  if (!enter) return;
  if (!joins) {
    entry.before.clear();
    // Nobody joins a single writer, so nobody will follow what it follows.
    if (kind == DependenceKind::out)
      entry.now.clear();
    else
      entry.before.swap(entry.now);
    entry.kind = kind;
  }
  entry.now.push(node);
}

void depend_on_everything(DependenceTable* table, DependenceNode* node, bool enter) {
  if (table->everything != nullptr) follow(node, table->everything);
  for (uint32_t i = 0; i < table->used; ++i) {
    Entry& entry = table->entry(i);
    follow_all(node, entry.now);
    if (!enter) continue;
    entry.before.clear();
    entry.now.clear();
    entry.now.push(node);
    entry.kind = DependenceKind::out;
  }
  if (!enter) return;
  if (table->everything != nullptr) drop(table->everything);
  table->everything = node;
  node->references.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller holds one
}

// An address that a task names twice in different kinds counts as out.
DependenceKind strongest(const Dependence* list, size_t count, size_t at, bool& again) {
  DependenceKind kind = list[at].kind;
  for (size_t i = 0; i < count; ++i) {
    if (i == at || list[i].address != list[at].address) continue;
    if (i < at) again = true;
    if (list[i].kind != kind) kind = DependenceKind::out;
  }
  return kind;
}

void enter_list(Task* parent, DependenceNode* node, const Dependence* list, size_t count,
                bool enter) {
  DependenceTable* table = table_of(parent);
  bool everything = false;
  for (size_t i = 0; i < count; ++i) {
    if (list[i].address == nullptr) {
      everything = true;
      continue;
    }
    bool again = false;
    DependenceKind kind = strongest(list, count, i, again);
    if (!again) depend_on(table, node, list[i].address, kind, enter);
  }
  if (everything) depend_on_everything(table, node, enter);
}

// A predecessor of the node, or its maker, is done. True if it may begin.
bool one_less(DependenceNode* node) {
  return node->waiting.fetch_sub(1, std::memory_order_acq_rel) == 1 && take_exclusions(node);
}

void begin(Thread* thread, DependenceNode* node) {
  if (node->event != nullptr)
    node->event->signal();
  else
    make_task_ready(thread, node->task);
}

TULLE_MAY_SUSPEND void wait_for(DependenceNode* node) {
  sched::Event event;
  node->event = &event;
  if (!one_less(node)) event.wait();
}

}  // namespace

bool register_dependences(Thread* thread, Task* task, const Dependence* list, size_t count) {
  auto* node = make<DependenceNode>();
  node->task = task;
  task->node = node;
  enter_list(thread->task, node, list, count, true);
  return one_less(node);
}

void begin_undeferred_wait(Thread* thread, Task* task, const Dependence* list, size_t count) {
  auto* node = make<DependenceNode>();
  node->task = task;
  task->node = node;
  enter_list(thread->task, node, list, count, false);
  wait_for(node);
}

void taskwait(Thread* thread, const Dependence* list, size_t count) {
  auto* node = make<DependenceNode>();
  enter_list(thread->task, node, list, count, false);
  wait_for(node);
  give_exclusions(node, [](DependenceNode* next) { begin(self(), next); });
  drop(node);
}

void release_dependences(Thread* thread, Task* task) {
  DependenceNode* node = task->node;
  task->node = nullptr;
  NodeList successors;
  {
    sync::Guard guard(node->lock);
    node->complete = true;
    successors.swap(node->successors);
  }
  auto ready = [thread](DependenceNode* next) { begin(thread, next); };
  give_exclusions(node, ready);
  // The last one made ready is the first that this worker takes: the oldest successor.
  for (uint32_t i = successors.size(); i-- > 0;)
    if (one_less(successors[i])) ready(successors[i]);
  drop(node);
}

void free_dependence_table(Thread*, Task* parent) {
  DependenceTable* table = parent->table;
  parent->table = nullptr;
  for (uint32_t i = 0; i < table->used; ++i) free_entry(table->entry(i));
  for (uint32_t i = 0; i < table->used; i += DependenceTable::kBlock)
    free(table->blocks[i / DependenceTable::kBlock]);
  free(table->blocks);
  free(table->slots);
  if (table->everything != nullptr) drop(table->everything);
  free(table);
}

void begin_undeferred(Thread* thread, Task* task, const Dependence* list, size_t count) {
  if (count != 0) begin_undeferred_wait(thread, task, list, count);
  begin_inline(self(), task);
}

}  // namespace tulle::omp
