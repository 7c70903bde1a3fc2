// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <vector>

#include "in_region.h"
#include "kept.h"
#include "omp/task/task_submit.h"
#include "omp/task/task_wait.h"

namespace tulle::omp {
namespace {

TEST(TaskPool, RemembersTheQueueThatAnAddressBelongsTo) {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker> workers(2);
  TaskQueue* first = pool.queue_of(&workers[0]);
  TaskQueue* second = pool.queue_of(&workers[1]);
  int data[2];
  EXPECT_EQ(pool.near(&data[0]), nullptr);
  pool.note_near(&data[0], first);
  EXPECT_EQ(pool.near(&data[0]), first);
  pool.note_near(&data[0], second);
  EXPECT_EQ(pool.near(&data[0]), second);
  EXPECT_EQ(pool.near(&data[1]), nullptr);
}

TEST(TaskPool, KnowsASoleMakerUntilAnotherOneComes) {
  TaskPool& pool = *kept(new TaskPool);
  EXPECT_TRUE(pool.sole_maker(1, 3));
  EXPECT_TRUE(pool.sole_maker(1, 3));
  EXPECT_FALSE(pool.sole_maker(1, 2));
  EXPECT_FALSE(pool.sole_maker(1, 3));
  EXPECT_TRUE(pool.sole_maker(2, 2));
}

TEST(TaskPool, GivesTheQueuesInTurn) {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker> workers(3);
  for (auto& worker : workers) pool.queue_of(&worker);
  TaskQueue* own = pool.queue_of(&workers[1]);
  int given[3] = {};
  for (int i = 0; i < 30; ++i) ++given[pool.next_in_turn(own, 3)->number];
  for (int count : given) EXPECT_EQ(count, 10);
}

TEST(TaskPool, TakesTasksOfAllInboxesInOrder) {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker> workers(2);
  TaskQueue* own = pool.queue_of(&workers[0]);
  TaskQueue* other = pool.queue_of(&workers[1]);
  std::vector<Task> tasks(TaskQueue::kCapacity + 10);
  EXPECT_FALSE(pool.adopt(own));
  for (Task& task : tasks) TaskPool::push_inbox(other, &task);
  EXPECT_TRUE(pool.something_queued());
  EXPECT_TRUE(pool.adopt(own));
  EXPECT_FALSE(pool.adopt(own));
  EXPECT_EQ(own->deque.steal_any([](const Task*) { return true; }), &tasks[0]);
  EXPECT_EQ(own->deque.pop_owner(), &tasks[TaskQueue::kCapacity - 1]);
  EXPECT_EQ(pool.take_shared(own, nullptr), &tasks[TaskQueue::kCapacity]);
}

const auto any = [](const Task*) { return true; };

// A pool of queues of so many workers, each of which is meant for the CPU of its number.
struct ManyQueues : testing::Test {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker>& workers = *kept(new std::vector<sched::Worker>(12));
  std::vector<TaskQueue*> queues;
  std::vector<Task> tasks{41};

  void SetUp() override {
    const auto count = static_cast<uint32_t>(workers.size());
    pool.divide(TaskClusters::make(count));
    for (uint32_t i = 0; i < count; ++i) {
      workers[i].leaf.store(i);
      queues.push_back(pool.queue_of(&workers[i]));
    }
  }

  bool are_near(uint32_t a, uint32_t b) const { return queues[a]->cluster.load() == queues[b]->cluster.load(); }
  // In another cluster than 3; each has eight at most.
  uint32_t far_from_3() const {
    uint32_t number = 0;
    while (are_near(number, 3)) ++number;
    return number;
  }
  void give_to_3(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) ASSERT_TRUE(queues[3]->deque.push_owner(&tasks[i]));
  }
};

// One takes half of what is left beside the oldest, and the others go elsewhere meanwhile.
TEST_F(ManyQueues, OneTakesSeveral) {
  give_to_3(41);
  ASSERT_TRUE(queues[3]->raid.take());
  EXPECT_FALSE(pool.something_to_steal(queues[7]));
  EXPECT_TRUE(pool.something_in_queues());
  EXPECT_EQ(pool.steal(queues[7], any), nullptr);
  queues[3]->raid.give_back();
  EXPECT_TRUE(pool.something_to_steal(queues[7]));
  EXPECT_EQ(pool.steal(queues[7], any), &tasks[0]);
  EXPECT_EQ(queues[7]->deque.size(), 20u);
  EXPECT_EQ(queues[3]->deque.size(), 20u);
  EXPECT_EQ(queues[7]->deque.steal_any(any), &tasks[1]);
  EXPECT_EQ(queues[3]->deque.steal_any(any), &tasks[21]);
  const auto none = [](const Task*) { return false; };
  EXPECT_EQ(pool.steal(queues[1], none), nullptr);
}

TEST_F(ManyQueues, OneOfAClusterLooksAtOthers) {
  give_to_3(1);
  const uint32_t far = far_from_3();
  ASSERT_TRUE(queues[far]->cluster.load()->away.take());
  EXPECT_FALSE(pool.something_to_steal(queues[far]));
  EXPECT_EQ(pool.steal(queues[far], any), nullptr);
  EXPECT_TRUE(pool.something_to_steal(queues[3]));
  queues[far]->cluster.load()->away.give_back();
  EXPECT_TRUE(pool.something_to_steal(queues[far]));
  EXPECT_EQ(pool.steal(queues[far], any), &tasks[0]);
  EXPECT_FALSE(queues[far]->cluster.load()->away.is_taken());
}

TEST_F(ManyQueues, TheOwnClusterComesFirst) {
  give_to_3(2);
  const uint32_t far = far_from_3();
  uint32_t thief = 0;
  while (thief == far || !are_near(thief, far)) ++thief;
  ASSERT_TRUE(queues[far]->deque.push_owner(&tasks[40]));
  EXPECT_EQ(pool.steal(queues[thief], any), &tasks[40]);
  EXPECT_EQ(pool.steal(queues[thief], any), &tasks[0]);
}

TEST_F(ManyQueues, WhatIsForAllStandsInTheListOfItsCluster) {
  const uint32_t far = far_from_3();
  tasks[0].priority = 1;
  pool.push_shared(&tasks[0], queues[3]);
  EXPECT_TRUE(pool.has_urgent(queues[3]));
  EXPECT_FALSE(pool.has_urgent(queues[far]));
  EXPECT_TRUE(pool.something_shared());
  EXPECT_TRUE(pool.something_queued());
  EXPECT_TRUE(pool.can_take_shared(nullptr));
  EXPECT_EQ(pool.take_shared(queues[far], nullptr), nullptr);
  EXPECT_EQ(pool.take_shared(queues[3], nullptr), &tasks[0]);
  EXPECT_FALSE(pool.something_shared());
  EXPECT_EQ(pool.take_shared_far(queues[far], nullptr), nullptr);
}

TEST_F(ManyQueues, OneOfAClusterLooksAtTheListsOfOthers) {
  const uint32_t far = far_from_3();
  pool.push_shared(&tasks[0], queues[3]);
  ASSERT_TRUE(queues[far]->cluster.load()->away.take());
  EXPECT_EQ(pool.take_shared_far(queues[far], nullptr), nullptr);
  EXPECT_TRUE(pool.can_take_shared(nullptr)) << "whoever is about to sleep sees it all the same";
  queues[far]->cluster.load()->away.give_back();
  EXPECT_EQ(pool.take_shared_far(queues[far], nullptr), &tasks[0]);
  EXPECT_FALSE(queues[far]->cluster.load()->away.is_taken());
}

TEST_F(ManyQueues, WhatComesFromOutsideIsForAllClusters) {
  pool.push_shared(&tasks[0], nullptr);
  pool.push_shared(&tasks[1], nullptr);
  EXPECT_EQ(pool.take_shared(queues[3], nullptr), &tasks[0]);
  EXPECT_EQ(pool.take_shared(queues[far_from_3()], nullptr), &tasks[1]);
}

// More than a few are divided by themselves.
TEST(TaskPool, DividesTheNinthQueueOn) {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker>& workers = *kept(new std::vector<sched::Worker>(10));
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(pool.queue_of(&workers[i])->cluster.load(), nullptr);
  for (uint32_t i = 8; i < 10; ++i) EXPECT_NE(pool.queue_of(&workers[i])->cluster.load(), nullptr);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_NE(pool.queue_of(&workers[i])->cluster.load(), nullptr);
}

TEST_F(ManyQueues, AWorkerFindsItsOwnAgain) {
  EXPECT_EQ(pool.own_queue_of(&workers[5]), queues[5]);
  EXPECT_EQ(pool.known_queue_of(&workers[5]), queues[5]);
  TaskPool& other = *kept(new TaskPool);
  EXPECT_EQ(other.known_queue_of(&workers[5]), nullptr);
  EXPECT_EQ(other.own_queue_of(&workers[5])->number, 0u);
  EXPECT_EQ(pool.known_queue_of(&workers[5]), nullptr) << "its number is of the other pool";
  EXPECT_EQ(pool.own_queue_of(&workers[5]), queues[5]);
}

TEST(ThiefTurn, BelongsToOneAtATime) {
  ThiefTurn turn;
  EXPECT_FALSE(turn.is_taken());
  EXPECT_TRUE(turn.take());
  EXPECT_TRUE(turn.is_taken());
  EXPECT_FALSE(turn.take());
  turn.give_back();
  EXPECT_TRUE(turn.take());
}

// Those beside the own one, and each once.
TEST(TaskClusters, AreVisitedFromNearToFar) {
  TaskClusters* clusters = TaskClusters::make(40);
  ASSERT_NE(clusters, nullptr);
  std::vector<sched::Worker> workers(41);
  for (uint32_t i = 0; i < workers.size(); ++i) workers[i].leaf.store(i);
  EXPECT_EQ(clusters->of(&workers[40]), clusters->of(&workers[39])) << "more than there were";
  EXPECT_NE(clusters->of(&workers[0]), clusters->of(&workers[39]));
  TaskCluster* own = clusters->of(&workers[20]);
  std::vector<const TaskCluster*> seen;
  EXPECT_FALSE(clusters->any_beside(own, [&](const TaskCluster& cluster) {
    seen.push_back(&cluster);
    return false;
  }));
  EXPECT_GE(seen.size(), 4u);
  std::ptrdiff_t last = 1;
  for (const TaskCluster* cluster : seen) {
    const std::ptrdiff_t distance = std::abs(cluster - own);
    EXPECT_GE(distance, last);
    last = distance;
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_TRUE(clusters->any_beside(own, [&](const TaskCluster& cluster) { return &cluster == clusters->of(&workers[0]); }));
  TaskClusters::free(clusters);
}

TEST(TaskPool, FewThievesTakeOne) {
  TaskPool& pool = *kept(new TaskPool);
  std::vector<sched::Worker> workers(8);
  std::vector<TaskQueue*> queues;
  for (auto& worker : workers) queues.push_back(pool.queue_of(&worker));
  std::vector<Task> tasks(10);
  for (Task& task : tasks) ASSERT_TRUE(queues[3]->deque.push_owner(&task));
  EXPECT_EQ(pool.steal(queues[7], [](const Task*) { return true; }), &tasks[0]);
  EXPECT_EQ(queues[7]->deque.size(), 0u);
}

// Whoever ran a task with an affinity gets the next one.
TEST(TaskPool, FollowsTheWorkerThatRanATask) {
  static int data;
  static std::atomic<sched::Worker*> ran_on;
  test::in_region(4, [](Thread* thread) {
    if (thread->num != 0) return;
    for (int round = 0; round < 50; ++round) {
      auto body = [](void*) { ran_on = self()->worker; };
      Task* task = new_task(self(), body, 0, 1, 0);
      set_affinity(task, &data);
      submit_task(self(), task);
      taskwait(self());
      TaskQueue* queue = self()->team->tasks.near(&data);
      ASSERT_NE(queue, nullptr);
      EXPECT_EQ(queue->owner, ran_on.load());
    }
  });
}

}  // namespace
}  // namespace tulle::omp
