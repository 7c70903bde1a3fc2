// SPDX-License-Identifier: Apache-2.0
// The shape of the tree of runqueues on synthetic machines, and the order in which thieves ask.
#include "sched/queue_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "kept.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {
namespace {

QueueTree& tree_for(const char* machine, uint32_t workers) {
  topology::TreePtr topology = topology::from_synthetic(machine);
  EXPECT_NE(topology, nullptr) << machine;
  QueueTree* tree = kept(QueueTree::make(*topology, workers));
  EXPECT_NE(tree, nullptr);
  return *tree;
}

// What holds for every tree.
void expect_whole(QueueTree& tree, uint32_t workers) {
  ASSERT_EQ(tree.leaves(), workers);
  EXPECT_EQ(tree.root()->leaves, workers);
  EXPECT_EQ(tree.root()->parent, nullptr);
  uint32_t leaves = 0;
  for (Runqueue* queue : tree.queues()) {
    EXPECT_NE(queue->children.size(), 1u);
    uint32_t next = queue->first_leaf;
    for (Runqueue* child : queue->children) {
      EXPECT_EQ(child->parent, queue);
      EXPECT_EQ(child->first_leaf, next);
      EXPECT_GT(child->level, queue->level);
      next += child->leaves;
    }
    if (!queue->children.empty()) {
      EXPECT_EQ(next, queue->first_leaf + queue->leaves);
      continue;
    }
    EXPECT_EQ(queue->leaves, 1u);
    EXPECT_EQ(queue->level, TULLE_LEVEL_CPU);
    EXPECT_GE(queue->cpu, 0);
    EXPECT_EQ(tree.leaf(queue->first_leaf), queue);
    ++leaves;
  }
  EXPECT_EQ(leaves, workers);
}

TEST(QueueTree, MirrorsNodesAndCores) {
  QueueTree& tree = tree_for("numa:8 core:2 pu:1", 16);
  expect_whole(tree, 16);
  EXPECT_EQ(tree.queues().size(), 1u + 8 + 16);
  EXPECT_EQ(tree.root()->level, TULLE_LEVEL_MACHINE);
  ASSERT_EQ(tree.root()->children.size(), 8u);
  EXPECT_EQ(tree.root()->children[3]->level, TULLE_LEVEL_NUMA);
  EXPECT_EQ(tree.root()->children[3]->first_leaf, 6u);
  EXPECT_EQ(tree.leaf(7)->parent, tree.root()->children[3]);
}

TEST(QueueTree, LeavesOutPartsOfOneChild) {
  QueueTree& tree = tree_for("package:1 numa:1 core:4 pu:1", 4);
  expect_whole(tree, 4);
  EXPECT_EQ(tree.queues().size(), 5u);
  EXPECT_EQ(tree.root()->level, TULLE_LEVEL_MACHINE);
}

TEST(QueueTree, HasHardwareThreadsBelowCores) {
  QueueTree& tree = tree_for("package:2 core:64 pu:2", 256);
  expect_whole(tree, 256);
  EXPECT_EQ(tree.queues().size(), 1u + 2 + 128 + 256);
  EXPECT_EQ(tree.leaf(5)->parent->level, TULLE_LEVEL_CORE);
}

TEST(QueueTree, TakesFewerWorkersThanCpusFromTheLeft) {
  for (uint32_t workers = 1; workers <= 16; ++workers)
    expect_whole(tree_for("numa:8 core:2 pu:1", workers), workers);
  QueueTree& tree = tree_for("numa:8 core:2 pu:1", 3);
  EXPECT_EQ(tree.root()->children.size(), 2u);
  EXPECT_EQ(tree.leaf(2)->parent, tree.root());  // alone in its node
}

TEST(QueueTree, LetsNeighboursShareACpu) {
  for (uint32_t workers : {5u, 8u, 9u, 31u})
    expect_whole(tree_for("core:4 pu:1", workers), workers);
  QueueTree& tree = tree_for("core:4 pu:1", 8);
  EXPECT_EQ(tree.leaf(0)->cpu, 0);
  EXPECT_EQ(tree.leaf(1)->cpu, 0);
  EXPECT_EQ(tree.leaf(0)->parent, tree.leaf(1)->parent);
  EXPECT_EQ(tree.leaf(7)->cpu, 3);
}

Worker* some_workers() {
  static auto* workers = new Worker[4];
  return workers;
}

TEST(QueueTree, HasTheWorkersOwnRunqueuesAsLeaves) {
  topology::TreePtr machine = topology::from_synthetic("numa:2 core:2 pu:1");
  QueueTree* tree = QueueTree::make(
      *machine, 4, [](uint32_t worker) { return worker == 0 ? nullptr : &some_workers()[worker].queue; });
  ASSERT_NE(tree, nullptr);
  expect_whole(*tree, 4);
  for (uint32_t worker = 1; worker < 4; ++worker) EXPECT_EQ(tree->leaf(worker), &some_workers()[worker].queue);
  EXPECT_EQ(tree->leaf(2)->parent, tree->leaf(3)->parent);
  QueueTree::destroy(tree);
  QueueTree* smaller = QueueTree::make(*machine, 2, [](uint32_t worker) { return &some_workers()[worker].queue; });
  ASSERT_NE(smaller, nullptr);
  expect_whole(*smaller, 2);
  EXPECT_EQ(smaller->leaf(1), &some_workers()[1].queue);
  QueueTree::destroy(smaller);
}

TEST(QueueTree, HoldsAThousandCores) {
  expect_whole(tree_for("numa:16 package:2 core:32 pu:1", 1024), 1024);
}

// Workers of a pool that is not there, for thieves to ask.
class Victims : public ::testing::Test {
 protected:
  void SetUp() override {
    for (uint32_t i = 0; i < kCount; ++i) {
      workers_.push_back(std::make_unique<Worker>());
      workers_[i]->index = i;
      workers_[i]->leaf = i;
      all_workers[i] = workers_[i].get();
    }
  }
  void TearDown() override {
    for (uint32_t i = 0; i < kCount; ++i) all_workers[i] = nullptr;
  }

  static constexpr uint32_t kCount = 1024;
  std::vector<std::unique_ptr<Worker>> workers_;
};

TEST_F(Victims, AreAskedByDistance) {
  QueueTree& tree = tree_for("numa:16 package:2 core:32 pu:1", kCount);
  std::vector<uint16_t> order(kCount - 1);
  for (uint32_t thief : {0u, 31u, 500u, 1023u}) {
    ASSERT_TRUE(order_by_distance(workers_[thief].get(), kCount, tree, order.data()));
    std::vector<bool> seen(kCount);
    seen[thief] = true;
    uint32_t reached = 0;  // leaves of the part of the machine that is shared with the last one
    for (uint16_t victim : order) {
      EXPECT_FALSE(seen[victim]);
      seen[victim] = true;
      const Runqueue* shared = tree.leaf(thief);
      while (victim - shared->first_leaf >= shared->leaves) shared = shared->parent;
      EXPECT_GE(shared->leaves, reached);
      reached = shared->leaves;
    }
  }
}

TEST_F(Victims, BeginWithTheNeighbourToTheRight) {
  QueueTree& tree = tree_for("numa:16 package:2 core:32 pu:1", kCount);
  std::vector<uint16_t> order(kCount - 1);
  ASSERT_TRUE(order_by_distance(workers_[40].get(), kCount, tree, order.data()));
  EXPECT_EQ(order[0], 41);
  EXPECT_EQ(order[22], 63);
  EXPECT_EQ(order[23], 32);  // the first of the same package
  EXPECT_EQ(order[31], 0);   // the first of the same node
  EXPECT_EQ(order[63], 64);  // the first beyond it
}

// Once a spare that changed its place meanwhile was in the order twice or not at all.
TEST_F(Victims, AreAllAskedThoughSparesMove) {
  constexpr uint32_t kFew = 64;
  QueueTree& tree = tree_for("numa:16 package:2 core:32 pu:1", kCount);
  std::atomic<bool> over{false};
  std::thread mover([&] {
    for (uint32_t i = 0; !over; ++i)
      for (uint32_t worker = 1; worker < kFew; ++worker) workers_[worker]->leaf = i % 2 == 0 ? worker : kCount - worker;
  });
  int incomplete = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint16_t> order(kFew - 1);
    EXPECT_TRUE(order_by_distance(workers_[0].get(), kFew, tree, order.data()));
    std::sort(order.begin(), order.end());
    for (uint32_t i = 0; i < kFew - 1; ++i) incomplete += order[i] != i + 1;
  }
  over = true;
  mover.join();
  EXPECT_EQ(incomplete, 0);
}

}  // namespace
}  // namespace tulle::sched
