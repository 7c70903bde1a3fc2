// SPDX-License-Identifier: Apache-2.0
// The rules for grainsize and num_tasks, over many trip counts.
#include "omp/task/taskloop.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle::omp {
namespace {

struct Sizes {
  uint64_t sum = 0, least = UINT64_MAX, most = 0;
};

Sizes sizes(const TaskloopSplit& split, bool without_last = false) {
  Sizes all;
  for (uint64_t task = 0; task < split.tasks; ++task) {
    uint64_t n = split.iterations(task);
    all.sum += n;
    if (without_last && task + 1 == split.tasks) continue;
    all.least = std::min(all.least, n);
    all.most = std::max(all.most, n);
  }
  return all;
}

TEST(Taskloop, EverySplitCoversTheLoop) {
  for (uint64_t trips = 1; trips < 300; ++trips)
    for (uint64_t grain = 1; grain < 50; ++grain)
      for (auto kind : {TaskloopGrain::none, TaskloopGrain::grainsize, TaskloopGrain::num_tasks})
        for (bool strict : {false, true}) {
          Sizes all = sizes(split_taskloop(trips, kind, grain, strict, 4));
          ASSERT_EQ(all.sum, trips);
          ASSERT_GE(all.least, 1u);
        }
}

TEST(Taskloop, GrainsizeBoundsEachTask) {
  for (uint64_t trips = 1; trips < 300; ++trips)
    for (uint64_t grain = 1; grain < 50; ++grain) {
      Sizes all = sizes(split_taskloop(trips, TaskloopGrain::grainsize, grain, false, 4));
      ASSERT_GE(all.least, std::min(grain, trips));
      ASSERT_LT(all.most, 2 * grain);
    }
}

TEST(Taskloop, StrictGrainsizeIsExactButForTheLast) {
  for (uint64_t trips = 1; trips < 300; ++trips)
    for (uint64_t grain = 1; grain < 50; ++grain) {
      TaskloopSplit split = split_taskloop(trips, TaskloopGrain::grainsize, grain, true, 4);
      ASSERT_EQ(split.tasks, (trips + grain - 1) / grain);
      if (split.tasks < 2) continue;
      Sizes all = sizes(split, true);
      ASSERT_EQ(all.least, grain);
      ASSERT_EQ(all.most, grain);
    }
}

TEST(Taskloop, NumTasksIsTheNumberAndSizesDifferByOne) {
  for (uint64_t trips = 1; trips < 300; ++trips)
    for (uint64_t tasks = 1; tasks < 50; ++tasks) {
      TaskloopSplit split = split_taskloop(trips, TaskloopGrain::num_tasks, tasks, true, 4);
      ASSERT_EQ(split.tasks, std::min(tasks, trips));
      Sizes all = sizes(split);
      ASSERT_LE(all.most - all.least, 1u);
    }
}

TEST(Taskloop, Extremes) {
  for (uint64_t trips : {uint64_t{1}, UINT64_MAX, UINT64_MAX - 1}) {
    TaskloopSplit split = split_taskloop(trips, TaskloopGrain::grainsize, UINT64_MAX, false, 64);
    EXPECT_EQ(split.tasks, 1u);
    EXPECT_EQ(split.iterations(0), trips);
  }
  EXPECT_EQ(split_taskloop(UINT64_MAX, TaskloopGrain::grainsize, 1, true, 1).tasks, UINT64_MAX);
}

}  // namespace
}  // namespace tulle::omp
