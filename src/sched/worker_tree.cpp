// SPDX-License-Identifier: Apache-2.0
#include "sched/worker_tree.h"

#include <utility>

#include "arch/cpu.h"
#include "os/cpus.h"
#include "os/keep_errno.h"
#include "sched/settings.h"
#include "sched/workers.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

TULLE_HELD_AT_FORK sync::Spinlock building;
std::atomic<QueueTree*> in_force{nullptr};  // W: under the lock
std::atomic<bool> binds{false};
CpuSet process_mask;  // W: under the lock, before `binds`

topology::TreePtr usable_machine() {
  const CpuSet allowed = os::allowed_cpus();
  topology::TreePtr machine = topology::restricted(topology::machine(), allowed);
  return machine != nullptr ? std::move(machine) : topology::from_cpus(allowed);
}

// Leaf 0 belongs to all OS threads of the program together.
Runqueue* queue_of_worker(uint32_t number) {
  Worker* w = number == 0 ? nullptr : pool_worker(static_cast<int>(number));
  return w == nullptr ? nullptr : &w->queue;
}

void bind_to_leaf(const QueueTree* tree, const Worker* w) {
  CpuSet cpu;
  cpu.add(leaf_of(tree, w)->cpu);
  int id = w->kernel_id.load(std::memory_order_seq_cst);  // pairs with the worker's look at `binds`
  if (id != 0) os::set_affinity_mask(id, cpu);
}

}  // namespace

QueueTree* known_tree() { return in_force.load(std::memory_order_acquire); }  // pairs with tree_of_workers

QueueTree* tree_of_workers() {
  if (QueueTree* tree = known_tree()) return tree;
  os::KeepErrno keep;
  topology::TreePtr machine = usable_machine();
  if (machine == nullptr) return nullptr;
  sync::Guard guard(building);
  if (QueueTree* tree = known_tree()) return tree;
  QueueTree* tree = QueueTree::make(*machine, static_cast<uint32_t>(settings().workers), queue_of_worker);
  in_force.store(tree, std::memory_order_release);  // pairs with known_tree
  return tree;
}

uint32_t leaf_number(const Worker* w) {
  const QueueTree* tree = tree_of_workers();
  return tree == nullptr ? 0 : leaf_of(tree, w)->first_leaf;
}

int cpu_of_leaf(uint32_t leaf) {
  const QueueTree* tree = tree_of_workers();
  return tree == nullptr || leaf >= tree->leaves() ? -1 : tree->leaf(leaf)->cpu;
}

void bind_pool(const QueueTree* tree, uint32_t pool) {
  const CpuSet allowed = os::allowed_cpus();
  {
    sync::Guard guard(building);
    if (!binds.load(std::memory_order_relaxed)) process_mask = allowed;
    binds.store(true, std::memory_order_seq_cst);  // pairs with bind_worker
  }
  for (uint32_t i = 1; i <= pool; ++i) bind_to_leaf(tree, pool_worker(static_cast<int>(i)));
}

void bind_worker(Worker* w) {
  if (const Crew* crew = crew_of(w)) {
    os::set_affinity_mask(0, crew->cpus);
    return;
  }
  if (!binds.load(std::memory_order_seq_cst)) return;  // pairs with bind_to_leaf's look at the id
  const QueueTree* tree = known_tree();
  if (w->kind != WorkerKind::pool)
    unbind_thread();
  else if (tree != nullptr)
    bind_to_leaf(tree, w);
}

void unbind_thread() {
  if (binds.load(std::memory_order_acquire)) os::set_affinity_mask(0, process_mask);
}

void forget_tree() TULLE_WITHOUT_LOCKS {
  if (QueueTree* tree = in_force.exchange(nullptr, std::memory_order_relaxed)) QueueTree::destroy(tree);
  binds.store(false, std::memory_order_relaxed);
}

}  // namespace tulle::sched
