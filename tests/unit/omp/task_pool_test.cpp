// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_pool.h"

#include <gtest/gtest.h>

#include <atomic>
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
  EXPECT_EQ(pool.take_shared(nullptr), &tasks[TaskQueue::kCapacity]);
}

// Where there are many thieves one takes half of what is left beside the oldest, and the others go elsewhere meanwhile.
TEST(TaskPool, ManyThievesTakeSeveral) {
  TaskPool& pool = *kept(new TaskPool);
  const auto any = [](const Task*) { return true; };
  std::vector<sched::Worker> workers(12);
  std::vector<TaskQueue*> queues;
  for (auto& worker : workers) queues.push_back(pool.queue_of(&worker));
  std::vector<Task> tasks(41);
  for (Task& task : tasks) ASSERT_TRUE(queues[3]->deque.push_owner(&task));
  ASSERT_TRUE(TaskPool::begin_raid(queues[3]));
  EXPECT_EQ(pool.steal(queues[7], any), nullptr);
  TaskPool::end_raid(queues[3]);
  EXPECT_EQ(pool.steal(queues[7], any), &tasks[0]);
  EXPECT_EQ(queues[7]->deque.size(), 20u);
  EXPECT_EQ(queues[3]->deque.size(), 20u);
  EXPECT_EQ(queues[7]->deque.steal_any(any), &tasks[1]);
  EXPECT_EQ(queues[3]->deque.steal_any(any), &tasks[21]);
  EXPECT_EQ(pool.steal(queues[9], any), &tasks[22]) << "its own number is nearer to 3 than to 7, from 9 on";
  EXPECT_EQ(queues[9]->victim, 3u);
  const auto none = [](const Task*) { return false; };
  EXPECT_EQ(pool.steal(queues[1], none), nullptr);
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
