// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/dependence_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace tulle::omp {
namespace {

using enum DependenceKind;
using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

class Ordered {
 public:
  void add(std::vector<GraphItem> items) { order_.add(builder_.add_task(0), items); }
  void add_barrier() { order_.add_barrier(builder_.add_task(0)); }
  void add_undeferred(std::vector<GraphItem> items) {
    add(items);
    order_.wait_for(builder_.tasks() - 1);
  }
  Edges edges() {
    const char* problem = nullptr;
    TaskGraph graph = builder_.build(&problem);
    Edges all;
    for (uint32_t i = 0; i < graph.tasks(); ++i)
      graph.for_each_output(i, [&](uint32_t output) { all.emplace_back(i, output); });
    return all;
  }

 private:
  TaskGraphBuilder builder_;
  DependenceOrder order_{builder_};
};

TEST(DependenceOrder, ReadersFollowTheWriterAndTheNextWriterFollowsThem) {
  Ordered tasks;
  tasks.add({{8, out}});
  tasks.add({{8, in}});
  tasks.add({{8, in}});
  tasks.add({{8, out}});
  tasks.add({{16, in}});
  EXPECT_EQ(tasks.edges(), (Edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST(DependenceOrder, SetsStandSideBySideAndExclusiveOnesInTheirOrder) {
  Ordered tasks;
  tasks.add({{8, out}});
  tasks.add({{8, inoutset}});
  tasks.add({{8, inoutset}});
  tasks.add({{8, in}});
  EXPECT_EQ(tasks.edges(), (Edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  Ordered exclusive;
  exclusive.add({{8, mutexinoutset}});
  exclusive.add({{8, mutexinoutset}});
  EXPECT_EQ(exclusive.edges(), (Edges{{0, 1}}));
}

TEST(DependenceOrder, AnAddressThatIsNamedTwiceCountsOnce) {
  Ordered tasks;
  tasks.add({{8, in}, {8, out}});
  tasks.add({{8, in}, {8, in}});
  tasks.add({{8, in}, {8, out}, {8, in}});
  EXPECT_EQ(tasks.edges(), (Edges{{0, 1}, {1, 2}}));
}

TEST(DependenceOrder, AllMemoryFollowsEverythingAndIsFollowed) {
  Ordered tasks;
  tasks.add({{8, out}});
  tasks.add({{16, in}});
  tasks.add({{0, out}});
  tasks.add({{24, in}});
  tasks.add({{0, out}, {8, in}});
  tasks.add({});
  EXPECT_EQ(tasks.edges(), (Edges{{0, 2}, {1, 2}, {2, 3}, {2, 4}, {3, 4}}));
}

TEST(DependenceOrder, ABarrierStandsBetweenWhatIsBeforeAndAfter) {
  Ordered tasks;
  tasks.add({{8, out}});
  tasks.add({{8, in}});
  tasks.add({});
  tasks.add_barrier();
  tasks.add({{8, in}});
  tasks.add({});
  tasks.add({{8, out}});
  tasks.add_barrier();
  EXPECT_EQ(tasks.edges(), (Edges{{0, 1}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 7}}));
}

TEST(DependenceOrder, WhatComesAfterAnUndeferredTaskFollowsIt) {
  Ordered tasks;
  tasks.add({{8, out}});
  tasks.add_undeferred({{16, out}});
  tasks.add({{8, in}});
  tasks.add({});
  EXPECT_EQ(tasks.edges(), (Edges{{0, 2}, {1, 2}, {1, 3}}));
}

TEST(DependenceOrder, KnowsAsManyAddressesAsThereAre) {
  TaskGraphBuilder builder;
  DependenceOrder order(builder);
  for (uint32_t round = 0; round < 2; ++round)
    for (uintptr_t address = 1; address <= 5000; ++address) {
      std::vector<GraphItem> item{{address * 4096, out}};
      order.add(builder.add_task(0), item);
      EXPECT_EQ(order.number(address * 4096), address - 1);
    }
  EXPECT_EQ(order.addresses(), 5000u);
  const char* problem = nullptr;
  EXPECT_EQ(builder.build(&problem).edges(), 5000u);
}

}  // namespace
}  // namespace tulle::omp
