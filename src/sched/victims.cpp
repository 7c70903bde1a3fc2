// SPDX-License-Identifier: Apache-2.0
// Whom an idle worker asks first. The order follows the tree of runqueues, which needs the machine's
// topology: milliseconds that a program pays only after its workers have stolen from one another, and
// not where all are equally near. Workers that nobody has bound are taken to be at the CPU that is
// meant for them.
#include "sched/victims.h"

#include <cstdlib>

#include "arch/cpu.h"
#include "base/array.h"
#include "sched/settings.h"
#include "sched/worker.h"
#include "sched/worker_tree.h"
#include "sched/workers.h"

namespace tulle::sched {

std::atomic<uint32_t> attached{0};
std::atomic<uint32_t> crew_leaders{0};

namespace {

constexpr uint32_t kEnoughSteals = 64;
constexpr int kTooFewWorkers = 2;

std::atomic<bool> asked_for_tree{false};

QueueTree* tree_if_worth_it(const Worker* w) {
  QueueTree* tree = known_tree();
  if (tree != nullptr || w->steals < kEnoughSteals || settings().workers <= kTooFewWorkers ||
      !stacks_hold_topology())
    return tree;
  // Relaxed: it guards nothing; one worker goes and fetches the tree.
  if (asked_for_tree.load(std::memory_order_relaxed) ||
      asked_for_tree.exchange(true, std::memory_order_relaxed))
    return nullptr;
  return tree_of_workers();
}

uint32_t leaf_within(const Worker* w, uint32_t leaves) {
  uint32_t leaf = w == nullptr ? 0 : w->leaf.load(std::memory_order_relaxed);  // a hint
  return leaf < leaves ? leaf : leaves - 1;
}

}  // namespace

bool order_by_distance(const Worker* w, uint32_t count, const QueueTree& tree, uint16_t* victims) {
  // Spares move meanwhile: each worker has one place in the order if it is asked once where it is.
  Array<uint32_t> leaves;
  if (!leaves.resize(count)) return false;
  for (uint32_t i = 0; i < count; ++i)
    leaves[i] = leaf_within(all_workers[i].load(std::memory_order_relaxed), tree.leaves());
  const Runqueue* inner = nullptr;
  const Runqueue* part = tree.leaf(leaf_within(w, tree.leaves()));
  for (uint32_t have = 0; part != nullptr; inner = part, part = part->parent)
    for (uint32_t step = 1; step < count && have < count - 1; ++step) {
      uint32_t index = (w->index + step) % count;
      if (part->covers(leaves[index]) && (inner == nullptr || !inner->covers(leaves[index])))
        victims[have++] = static_cast<uint16_t>(index);
    }
  return true;
}

const uint16_t* victims_by_distance(Worker* w, uint32_t count) {
  if (TULLE_LIKELY(w->victims != nullptr && w->victim_count == count)) return w->victims;
  const QueueTree* tree = tree_if_worth_it(w);
  if (tree == nullptr) return nullptr;
  auto* victims = static_cast<uint16_t*>(malloc(count * sizeof(uint16_t)));
  if (victims == nullptr || !order_by_distance(w, count, *tree, victims)) {
    free(victims);
    return nullptr;
  }
  free(w->victims);
  w->victims = victims;
  w->victim_count = count;
  return victims;
}

// Relaxed: who steals asks once more, and the lock of the runqueue orders that after the attachment of the OS thread
// whose region it would be of.
bool steals_for_region(const Worker* w) {
  if (w->guests != Guests::none) return false;
  const uint32_t others = attached.load(std::memory_order_relaxed) - 1;
  return others == 0 || crew_of(w) != nullptr || others == crew_leaders.load(std::memory_order_relaxed);
}

bool may_offer(const Worker* w) {
  return another_offers(w, [](const Runqueue& queue) { return queue.has_stealable() || queue.has_bubbles(); }) != nullptr;
}

}  // namespace tulle::sched
