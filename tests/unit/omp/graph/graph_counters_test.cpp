// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/graph_counters.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "paper_graphs.h"

namespace tulle::omp {
namespace {

using Created = GraphCounters::Created;

// 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3
TaskGraph diamond() {
  TaskGraphBuilder builder;
  for (int i = 0; i < 4; ++i) builder.add_task(0);
  for (auto [input, task] : {std::pair{0u, 1u}, {0u, 2u}, {1u, 3u}, {2u, 3u}})
    builder.add_edge(input, task);
  const char* problem = nullptr;
  return builder.build(&problem);
}

std::vector<uint32_t> complete(GraphCounters& counters, uint32_t task) {
  std::vector<uint32_t> ready;
  counters.complete(task, [&](uint32_t output) { ready.push_back(output); });
  return ready;
}

TEST(GraphCounters, CountInputsThatAreCreatedAndNotFinished) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(counters.state(i), -1);
  EXPECT_EQ(counters.create(0), Created::ready);
  EXPECT_EQ(counters.state(0), 0);
  EXPECT_EQ(counters.create(1), Created::waits);
  EXPECT_EQ(counters.create(2), Created::waits);
  EXPECT_EQ(counters.create(3), Created::waits);
  EXPECT_EQ(counters.state(3), 2);
  EXPECT_EQ(complete(counters, 0), (std::vector<uint32_t>{2, 1}));  // the oldest at last
  EXPECT_EQ(counters.state(0), -1);
  EXPECT_EQ(complete(counters, 2), std::vector<uint32_t>{});
  EXPECT_EQ(counters.state(3), 1);
  EXPECT_EQ(complete(counters, 1), std::vector<uint32_t>{3});
  EXPECT_EQ(complete(counters, 3), std::vector<uint32_t>{});
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(counters.state(i), -1);
}

TEST(GraphCounters, DoNotWaitForABranchThatIsNotTakenNorForWhatIsFinished) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  EXPECT_EQ(counters.create(0), Created::ready);
  complete(counters, 0);
  EXPECT_EQ(counters.create(2), Created::ready);
  EXPECT_EQ(counters.create(3), Created::waits);
  EXPECT_EQ(counters.state(1), -1);
  EXPECT_EQ(complete(counters, 2), std::vector<uint32_t>{3});
}

TEST(GraphCounters, SayThatAnInputCameTooLate) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  EXPECT_EQ(counters.create(3), Created::ready);
  EXPECT_EQ(counters.create(1), Created::out_of_order);
  EXPECT_EQ(counters.create(3), Created::out_of_order);
  EXPECT_EQ(counters.state(3), 0);
  EXPECT_EQ(complete(counters, 3), std::vector<uint32_t>{});
  EXPECT_EQ(counters.create(1), Created::ready);
}

TEST(GraphCounters, AreUsedAgain) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  for (int round = 0; round < 3; ++round) {
    std::vector<uint32_t> ready;
    counters.create_all([&](uint32_t task) { ready.push_back(task); });
    EXPECT_EQ(ready, std::vector<uint32_t>{0});
    EXPECT_EQ(counters.state(3), 2);
    complete(counters, 0);
    complete(counters, 1);
    EXPECT_EQ(complete(counters, 2), std::vector<uint32_t>{3});
    complete(counters, 3);
  }
}

TEST(GraphCounters, LearnWhatRanBefore) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  counters.create_all([](uint32_t) {});
  std::vector<uint32_t> ready;
  for (uint32_t task : {0, 1}) counters.complete_unseen(task, [&](uint32_t output) { ready.push_back(output); });
  EXPECT_EQ(ready, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(counters.state(0), -1);
  EXPECT_EQ(counters.state(3), 1);
  EXPECT_EQ(complete(counters, 2), std::vector<uint32_t>{3});
}

TEST(GraphCounters, MayExpectInputsThatAreNotCreatedYet) {
  TaskGraph graph = diamond();
  GraphCounters counters(graph);
  counters.expect_all();
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(counters.state(i), -1);
  EXPECT_TRUE(counters.create_expected(0));
  EXPECT_FALSE(counters.create_expected(1));
  EXPECT_EQ(counters.state(1), 1);
  EXPECT_EQ(complete(counters, 0), std::vector<uint32_t>{1});
  EXPECT_EQ(complete(counters, 1), std::vector<uint32_t>{});
  EXPECT_TRUE(counters.create_expected(2));
  EXPECT_FALSE(counters.create_expected(3));
  EXPECT_EQ(complete(counters, 2), std::vector<uint32_t>{3});
  EXPECT_EQ(counters.state(3), 0);
  complete(counters, 3);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(counters.state(i), -1);
}

// A worker of the test: takes what is ready in any order, until all are complete.
class Racers {
 public:
  Racers(const TaskGraph& graph, bool expects)
      : graph_(graph), counters_(graph), expects_(expects), ended_(graph.tasks()) {
    if (expects) counters_.expect_all();
    for (uint32_t i = 0; i < graph.tasks(); ++i)
      graph.for_each_output(i, [&](uint32_t output) { edges_.emplace_back(i, output); });
  }

  void run(int threads, unsigned seed) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i)
      workers.emplace_back([this, seed, i] { work(seed + static_cast<unsigned>(i)); });
    for (uint32_t i = 0; i < graph_.tasks(); ++i)
      if (expects_ ? counters_.create_expected(i) : counters_.create(i) == Created::ready) put(i);
    for (std::thread& worker : workers) worker.join();
    for (auto [input, task] : edges_) EXPECT_LT(ended_[input], ended_[task]);
  }

 private:
  void put(uint32_t task) {
    std::lock_guard guard(lock_);
    ready_.push_back(task);
  }

  void work(unsigned seed) {
    std::mt19937 random(seed);
    while (done_.load() < graph_.tasks()) {
      uint32_t task;
      {
        std::lock_guard guard(lock_);
        if (ready_.empty()) continue;
        std::swap(ready_[random() % ready_.size()], ready_.back());
        task = ready_.back();
        ready_.pop_back();
      }
      ended_[task] = ++clock_;
      counters_.complete(task, [this](uint32_t output) { put(output); });
      ++done_;
    }
  }

  const TaskGraph& graph_;
  GraphCounters counters_;
  const bool expects_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  std::vector<uint32_t> ended_;
  std::vector<uint32_t> ready_;
  std::mutex lock_;
  std::atomic<uint32_t> clock_{0}, done_{0};
};

TEST(GraphCounters, LetEachTaskRunOnceAfterItsInputs) {
  TaskGraph graphs[] = {built(cholesky(8), true), built(path_finder(16), true)};
  for (const TaskGraph& graph : graphs)
    for (unsigned seed = 0; seed < 20; ++seed) Racers(graph, seed % 2 == 0).run(3, seed);
}

}  // namespace
}  // namespace tulle::omp
