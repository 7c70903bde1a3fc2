// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/task_graph.h"

#include <gtest/gtest.h>

#include <string>

#include "paper_graphs.h"

namespace tulle::omp {
namespace {

std::vector<uint32_t> outputs(const TaskGraph& graph, uint32_t task) {
  std::vector<uint32_t> all;
  graph.for_each_output(task, [&](uint32_t output) { all.push_back(output); });
  return all;
}

TEST(TaskIds, AreThoseOfTheWorkedExample) {
  // T4 of Figure 6.4: sid 4, T 5, M 3, l = (2, 1).
  constexpr uint32_t kLoops[] = {2, 1};
  static_assert(TaskIds{5, 3}.identify(4, kLoops) == 79);
}

TEST(TaskIds, RefuseWhatWouldNotBeUnique) {
  TaskIds ids{5, 3};
  const uint32_t high[] = {3, 0}, first[] = {3}, in_order[] = {0, 1};
  EXPECT_EQ(ids.identify(0, high), kNoTaskId);
  EXPECT_EQ(ids.identify(0, first), kNoTaskId);
  EXPECT_EQ(ids.identify(5, in_order), kNoTaskId);
  EXPECT_NE(ids.identify(4, in_order), kNoTaskId);
}

TEST(TaskIds, OfAllLoopsOfADepthDiffer) {
  TaskIds ids{7, 5};
  std::vector<uint64_t> all;
  for (uint32_t sid = 0; sid < 7; ++sid)
    for (uint32_t i = 0; i < 5; ++i)
      for (uint32_t j = 0; j < 5; ++j)
        for (uint32_t k = 0; k < 5; ++k) all.push_back(ids.identify(sid, std::vector{i, j, k}));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(TaskIds, RefuseWhatDoesNotFit) {
  TaskIds ids{1000, 1u << 20};
  EXPECT_NE(ids.identify(1, std::vector<uint32_t>{1, 1, 0, 0, 0, 0}), kNoTaskId);
  EXPECT_EQ(ids.identify(1, std::vector<uint32_t>{1, 1, 0, 0, 0, 1}), kNoTaskId);
}

TEST(TaskGraph, HoldsWhatWasAdded) {
  TaskGraphBuilder builder(TaskIds{2, 10});
  uint32_t last = builder.add_task(0, std::vector<uint32_t>{9});
  uint32_t first = builder.add_task(1, std::vector<uint32_t>{0});
  uint32_t middle = builder.add_task(0, std::vector<uint32_t>{5});
  builder.add_edge(first, last);
  builder.add_edge(middle, last);
  builder.add_edge(first, last);
  builder.add_edge(first, middle);
  const char* problem = nullptr;
  Array<uint32_t> places;
  TaskGraph graph = builder.build(&problem, &places);
  ASSERT_TRUE(graph) << problem;
  EXPECT_EQ((std::vector<uint32_t>(places.begin(), places.end())), (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(graph.edges(), 3u);
  EXPECT_EQ(outputs(graph, 0), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(outputs(graph, 1), std::vector<uint32_t>{2});
  EXPECT_EQ(graph.inputs(2), 2u);
  EXPECT_EQ(graph.id(0), 1u);
  EXPECT_EQ(graph.id(2), 180u);
  EXPECT_EQ(graph.construct(0), 1u);
  EXPECT_EQ(graph.find(100), 1u);
  for (uint64_t id : {0u, 2u, 101u, 1000u}) EXPECT_EQ(graph.find(id), TaskGraph::kNone);
}

TEST(TaskGraph, RefusesEqualIdentifiersAndCycles) {
  const char* problem = nullptr;
  TaskGraphBuilder twice(TaskIds{2, 10});
  twice.add_task(0, std::vector<uint32_t>{3});
  twice.add_task(0, std::vector<uint32_t>{3});
  EXPECT_FALSE(twice.build(&problem));
  EXPECT_STREQ(problem, "two of its tasks have the same identifier");

  TaskGraphBuilder circle;
  for (int i = 0; i < 3; ++i) circle.add_task(0);
  for (uint32_t i = 0; i < 3; ++i) circle.add_edge(i, (i + 1) % 3);
  EXPECT_FALSE(circle.build(&problem));
  EXPECT_STREQ(problem, "it has a cycle");

  TaskGraphBuilder crowd;
  uint32_t count = TaskGraph::kMostInputs + 2;
  for (uint32_t i = 0; i < count; ++i) crowd.add_task(0);
  for (uint32_t i = 0; i + 1 < count; ++i) crowd.add_edge(i, count - 1);
  EXPECT_FALSE(crowd.build(&problem));
  EXPECT_STREQ(problem, "its edges do not add up");
}

TEST(TaskGraph, IsAsWideAsItNeeds) {
  for (uint32_t count : {65535u, 65536u, 65537u, 70000u}) {
    TaskGraphBuilder builder;
    for (uint32_t i = 0; i < count; ++i) builder.add_task(i % 3);
    for (uint32_t i = 1; i < count; ++i) builder.add_edge(i - 1, i);
    const char* problem = nullptr;
    TaskGraph graph = builder.build(&problem);
    ASSERT_TRUE(graph) << problem;
    EXPECT_EQ(graph.edges(), count - 1);
    for (uint32_t i = 0; i + 1 < count; ++i) ASSERT_EQ(outputs(graph, i), std::vector<uint32_t>{i + 1});
    EXPECT_EQ(graph.construct(count - 1), (count - 1) % 3);
    EXPECT_EQ(graph.find(graph.id(count - 1)), count - 1);
  }
}

TEST(TaskGraph, OfThePapersProgramsHasItsTasksAndEdges) {
  TaskGraph graph = built(cholesky(32));
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph.tasks(), 5984u);
  EXPECT_EQ(graph.edges(), 16368u);
  EXPECT_EQ(built(path_finder(64)).edges(), 2u * 64 * 63);
}

struct TableEntry {
  PaperGraph graph;
  uint32_t tasks;
  double kilobytes;  // Table 6.1
};

TEST(TaskGraph, TakesHalfOfTable61) {
  const TableEntry table[] = {
      {cholesky(2), 4, 0.11},       {cholesky(4), 20, 0.59},     {cholesky(8), 120, 3.80},
      {cholesky(16), 816, 27.09},   {cholesky(32), 5984, 204.19}, {path_finder(4), 16, 0.47},
      {path_finder(8), 64, 1.94},   {path_finder(16), 256, 7.88}, {path_finder(32), 1024, 31.75},
      {path_finder(64), 4096, 127.5}};
  for (const TableEntry& entry : table)
    for (bool by_order : {false, true}) {
      TaskGraph graph = built(entry.graph, by_order);
      ASSERT_TRUE(graph);
      EXPECT_EQ(graph.tasks(), entry.tasks);
      EXPECT_LE(static_cast<double>(graph.bytes()), entry.kilobytes * 1024 / 2) << entry.tasks;
    }
}

TEST(TaskGraph, TakesNoBlockThatIsNotOne) {
  TaskGraph graph = built(cholesky(4));
  std::string block(static_cast<const char*>(graph.block()), graph.bytes());
  const char* problem = nullptr;
  TaskGraph copy = TaskGraph::take(block.data(), block.size(), &problem);
  ASSERT_TRUE(copy);
  EXPECT_EQ(problem, nullptr);
  for (size_t bytes = 0; bytes < block.size(); ++bytes) {
    EXPECT_FALSE(TaskGraph::take(block.data(), bytes, &problem)) << bytes;
    EXPECT_NE(problem, nullptr);
  }
  // What gets through has rows that can be read and no cycle.
  for (size_t at = 0; at < block.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string altered = block;
      altered[at] = static_cast<char>(altered[at] ^ (1 << bit));
      TaskGraph read = TaskGraph::take(altered.data(), altered.size(), &problem);
      if (!read) continue;
      for (uint32_t i = 0; i < read.tasks(); ++i)
        for (uint32_t output : outputs(read, i)) ASSERT_LT(output, read.tasks());
    }
}

}  // namespace
}  // namespace tulle::omp
