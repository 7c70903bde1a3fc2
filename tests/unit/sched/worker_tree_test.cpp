// SPDX-License-Identifier: Apache-2.0
#include "sched/worker_tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "kept.h"
#include "os/cpus.h"
#include "sched/settings.h"
#include "sched/workers.h"

namespace tulle::sched {
namespace {

constexpr uint32_t kWorkers = 5;

// Some may share a CPU, whatever the machine has.
struct WorkerTreeTest : testing::Test {
  CpuSet before;

  void SetUp() override {
    ASSERT_TRUE(os::affinity_mask(0, before));
    set_workers(kWorkers);
  }
  void TearDown() override {
    forget_tree();
    os::set_affinity_mask(0, before);
  }

  static CpuSet mask() {
    CpuSet mask;
    os::affinity_mask(0, mask);
    return mask;
  }
};

TEST_F(WorkerTreeTest, IsBuiltAtTheFirstNeed) {
  EXPECT_EQ(known_tree(), nullptr);
  QueueTree* tree = tree_of_workers();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(tree->leaves(), kWorkers);
  EXPECT_EQ(known_tree(), tree);
  EXPECT_EQ(tree_of_workers(), tree);
  forget_tree();
  EXPECT_EQ(known_tree(), nullptr);
}

TEST_F(WorkerTreeTest, HasALeafForEachWorkerOfToday) {
  ASSERT_NE(tree_of_workers(), nullptr);
  forget_tree();
  set_workers(2);
  ASSERT_NE(tree_of_workers(), nullptr);
  EXPECT_EQ(tree_of_workers()->leaves(), 2u);
}

TEST_F(WorkerTreeTest, LeafIsTheWorkersOwnQueueWhereThereIsOne) {
  Worker* w = kept(new_worker(WorkerKind::pool));
  ASSERT_NE(w, nullptr);
  set_pool_worker(2, w);
  QueueTree* tree = tree_of_workers();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(tree->leaf(2), &w->queue);
  EXPECT_NE(tree->leaf(0), nullptr);
  set_pool_worker(2, nullptr);
}

TEST_F(WorkerTreeTest, TellsLeavesAndTheirCpus) {
  Worker* w = kept(new_worker(WorkerKind::pool));
  ASSERT_NE(w, nullptr);
  for (uint32_t leaf = 0; leaf < kWorkers; ++leaf) {
    w->leaf = leaf;
    EXPECT_EQ(leaf_number(w), leaf);
    EXPECT_TRUE(before.contains(cpu_of_leaf(leaf)));
  }
  EXPECT_EQ(cpu_of_leaf(kWorkers), -1);
  w->leaf = kWorkers + 7;  // of a spare, from a larger tree
  EXPECT_EQ(leaf_number(w), kWorkers - 1);
}

TEST_F(WorkerTreeTest, BindsWorkersOfThePoolAndLeavesOthersFree) {
  Worker* w = kept(new_worker(WorkerKind::pool));
  Worker* spare = kept(new_worker(WorkerKind::spare));
  ASSERT_TRUE(w != nullptr && spare != nullptr);
  w->leaf = 1;
  w->kernel_id = spare->kernel_id = gettid();
  QueueTree* tree = tree_of_workers();
  ASSERT_NE(tree, nullptr);
  bind_worker(w);
  EXPECT_TRUE(mask() == before) << "nothing is bound before a policy asks";
  bind_pool(tree, 0);
  EXPECT_TRUE(mask() == before) << "the initial thread is the program's";
  bind_worker(w);
  EXPECT_EQ(mask().count(), 1);
  EXPECT_TRUE(mask().contains(cpu_of_leaf(1)));
  bind_worker(spare);
  EXPECT_TRUE(mask() == before);
  bind_worker(w);
  unbind_thread();
  EXPECT_TRUE(mask() == before);
}

}  // namespace
}  // namespace tulle::sched
