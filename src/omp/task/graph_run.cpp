// SPDX-License-Identifier: Apache-2.0
#include "omp/task/graph_run.h"

#include <cstdlib>
#include <new>

#include "base/hash.h"
#include "omp/task/task_ready.h"
#include "os/fence.h"
#include "os/report.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

namespace {

constexpr size_t kFewestNames = 64;

}  // namespace

GraphRun::GraphRun(RepeatedGraph* graph)
    : graph_(graph),
      tasks_(graph->graph.tasks()),
      counters_(graph->graph),
      slots_(static_cast<GraphSlot*>(aligned_alloc(alignof(GraphSlot), graph->graph.tasks() * sizeof(GraphSlot)))),
      addresses_(graph->addresses.data()),
      anew_(!graph->addresses_known) {}

GraphRun::~GraphRun() {
  ::free(static_cast<void*>(slots_));
  ::free(static_cast<void*>(nodes_));
}

GraphRun* GraphRun::make(RepeatedGraph* graph) {
  void* memory = aligned_alloc(alignof(GraphRun), sizeof(GraphRun));
  if (memory == nullptr) return nullptr;
  auto* run = new (memory) GraphRun(graph);
  if (!run->counters_.usable() || run->slots_ == nullptr) {
    free(run);
    return nullptr;
  }
  run->counters_.expect_all();
  return run;
}

void GraphRun::free(GraphRun* run) {
  run->~GraphRun();
  ::free(static_cast<void*>(run));
}

void GraphRun::leave_graph() {
  if (anew_) graph_->addresses_known = at_end();
}

// False: the address has a number already, or there is no memory.
bool GraphRun::add_name(uint32_t number) {
  if (2 * (number + 1) > names_.size()) {
    size_t size = names_.empty() ? kFewestNames : 2 * names_.size();
    Array<uint32_t>().swap(names_);  // first: the larger one need not lie beside it
    if (!names_.resize(size)) return false;
    for (uint32_t i = 0; i < number; ++i) add_name(i);
  }
  uintptr_t address = addresses_[number];
  size_t at = golden_hash(uint64_t{address}) >> 20 & (names_.size() - 1);
  for (; names_[at] != 0; at = (at + 1) & (names_.size() - 1))
    if (addresses_[names_[at] - 1] == address) return false;
  names_[at] = number + 1;
  return true;
}

// The addresses named so far stay; those of the last pass that were not named are void.
bool GraphRun::begin_to_name_anew() {
  anew_ = true;
  graph_->addresses_known = false;
  for (uint32_t i = 0; i < named_; ++i)
    if (!add_name(i)) return false;
  return true;
}

bool GraphRun::name_anew(uint32_t number, uintptr_t address) {
  addresses_[number] = address;
  if (!add_name(number)) return false;  // it has another number
  ++named_;
  return true;
}

// An address that no task of this pass named before. None: it would be all memory.
TULLE_NOINLINE bool GraphRun::names_new(uint32_t number, uintptr_t address) {
  return address != 0 && (anew_ || begin_to_name_anew()) && name_anew(number, address);
}

// Where all addresses are those of the last pass, all that are new are different from each other.
inline bool GraphRun::names(uint32_t number, uintptr_t address) {
  const bool same = addresses_[number] == address;
  if (number < named_) return same;
  if (TULLE_UNLIKELY(anew_ || !same)) return names_new(number, address);
  named_ = number + 1;  // numbers come in their order
  return true;
}

// What a task that differs has named is void, and nobody asks for it: the pass is over.
bool GraphRun::match(const void* code, std::span<const Dependence> list) {
  if (at_end() || graph_->code_of(next_) != code) return false;
  const std::span<const PatternItem> items = items_of(next_);
  if (items.size() != list.size()) return false;
  const Dependence* said = list.data();
  for (const PatternItem item : items) {
    if (item.access() != static_cast<uint32_t>(said->kind)) return false;
    if (!names(item.address(), reinterpret_cast<uintptr_t>(said->address))) return false;
    ++said;
  }
  ++next_;
  return true;
}

bool GraphRun::enter(Task* task) {
  const uint32_t position = next_ - 1;
  GraphSlot& slot = slots_[position];
  slot = {this, task};
  task->node = slot.as_node();
  entered_ = next_;
  ult::happens_before(&slot);
  const bool ready = counters_.create_expected(position);
  if (ready) ult::happens_after(&slot);
  return ready;
}

DependenceNode* GraphRun::ended(Thread* thread, GraphSlot* slot) {
  auto position = static_cast<uint32_t>(slot - slots_);
  if (TULLE_UNLIKELY(ult::race_detector))
    graph_->graph.for_each_output(position, [&](uint32_t output) { ult::happens_before(&slots_[output]); });
  counters_.complete(position, [&](uint32_t ready) {
    ult::happens_after(&slots_[ready]);
    make_task_ready(thread, slots_[ready].task);
  });
  os::hot_fence();  // pairs with announce_stop()
  if (TULLE_LIKELY(!stopped_.load(std::memory_order_acquire))) return nullptr;
  sync::Guard guard(lock_);
  return nodes_[position];
}

void GraphRun::announce_stop() {
  nodes_ = static_cast<DependenceNode**>(calloc(graph_->graph.tasks(), sizeof(DependenceNode*)));
  if (nodes_ == nullptr) os::fatal("no memory for the dependences of a task");
  stopped_.store(true, std::memory_order_release);
  os::heavy_fence();
}

bool GraphRun::attach(uint32_t task, DependenceNode* node) {
  sync::Guard guard(lock_);
  if (counters_.state(task) < 0) return false;
  nodes_[task] = node;
  return true;
}

}  // namespace tulle::omp
