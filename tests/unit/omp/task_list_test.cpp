// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tulle::omp {
namespace {

struct Tree {
  std::vector<Task> tasks;
  explicit Tree(size_t count) : tasks(count) {}

  Task* make(size_t number, Task* parent, int32_t priority = 0, uint32_t bits = 0) {
    Task& task = tasks[number];
    task.parent = parent;
    task.depth = parent == nullptr ? 0 : parent->depth + 1;
    task.priority = priority;
    task.bits = bits;
    return &task;
  }
};

TEST(TaskList, GivesHighPrioritiesFirstAndEachLevelInOrder) {
  TaskList list;
  Tree tree(1000);
  std::vector<Task*> expected;
  for (size_t i = 0; i < 1000; ++i) {
    Task* task = tree.make(i, nullptr, static_cast<int32_t>(i * 37 % 101));
    list.push(task);
    expected.push_back(task);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Task* a, const Task* b) { return a->priority > b->priority; });
  for (Task* task : expected) EXPECT_EQ(list.take(nullptr), task);
  EXPECT_EQ(list.take(nullptr), nullptr);
}

TEST(TaskList, GivesAConstrainedThreadDescendantsUntiedAndSuspendedTasksOnly) {
  TaskList list;
  Tree tree(8);
  Task* root = tree.make(0, nullptr);
  Task* constraint = tree.make(1, root);
  Task* stranger = tree.make(2, root);
  Task* child = tree.make(3, constraint);
  Task* grandchild = tree.make(4, child);
  Task* untied = tree.make(5, root, 0, kTaskUntied);
  Task* suspended = tree.make(6, root);
  suspended->ult = reinterpret_cast<sched::Ult*>(8);
  list.push(stranger);
  EXPECT_FALSE(list.holds(constraint));
  EXPECT_EQ(list.take(constraint), nullptr);
  for (Task* task : {grandchild, untied, suspended}) list.push(task);
  for (Task* task : {grandchild, untied, suspended}) {
    EXPECT_TRUE(list.holds(constraint));
    EXPECT_EQ(list.take(constraint), task);
  }
  EXPECT_EQ(list.take(constraint), nullptr);
  EXPECT_EQ(list.take(nullptr), stranger);
}

// Against a search of the whole list, over random pushes and takes: none is overlooked.
TEST(TaskList, FindsWhateverMayRun) {
  std::mt19937 random(7);
  TaskList list;
  Tree tree(5000);
  std::vector<Task*> roots, waiting;
  for (size_t i = 0; i < 20; ++i) roots.push_back(tree.make(i, i == 0 ? nullptr : &tree.tasks[0]));
  for (size_t made = 20; made < 5000 || !waiting.empty();) {
    if (made < 5000 && random() % 5 < 3) {
      Task* task = tree.make(made, roots[random() % 20], static_cast<int32_t>(random() % 3));
      if (made < 2500) roots[random() % 19 + 1] = &tree.tasks[made];
      ++made;
      list.push(task);
      waiting.push_back(task);
      continue;
    }
    const Task* constraint = random() % 4 == 0 ? nullptr : roots[random() % 20];
    auto may = [=](const Task* task) { return may_run(task, constraint); };
    bool some = std::any_of(waiting.begin(), waiting.end(), may);
    ASSERT_EQ(list.holds(constraint), some);
    Task* taken = list.take(constraint);
    ASSERT_EQ(taken != nullptr, some);
    if (!some) continue;
    ASSERT_TRUE(may(taken));
    auto at = std::find(waiting.begin(), waiting.end(), taken);
    ASSERT_NE(at, waiting.end());
    waiting.erase(at);
  }
  EXPECT_EQ(list.take(nullptr), nullptr);
}

}  // namespace
}  // namespace tulle::omp
