// SPDX-License-Identifier: Apache-2.0
#include "omp/replay/graph_pace.h"

#include <gtest/gtest.h>

namespace tulle::omp {
namespace {

constexpr uint32_t kTasks = 100;
constexpr uint64_t kLong = kTasks * 2 * GraphPace::kWorthSharing;

int shared_replays(GraphPace& pace, int most) {
  int replays = 0;
  while (replays < most && pace.share_at_once()) ++replays;
  return replays;
}

TEST(GraphPace, SharesNothingThatItDoesNotKnow) {
  GraphPace pace;
  EXPECT_FALSE(pace.share_at_once());
  pace.note_alone(2, kLong);
  EXPECT_FALSE(pace.share_at_once());
}

TEST(GraphPace, LeavesShortTasksAlone) {
  GraphPace pace;
  pace.note_alone(kTasks, kTasks * (GraphPace::kWorthSharing - 1));
  EXPECT_FALSE(pace.share_at_once());
}

TEST(GraphPace, SharesLongTasksAndMeasuresThemAgain) {
  GraphPace pace;
  pace.note_alone(kTasks, kLong);
  EXPECT_EQ(shared_replays(pace, 1000), 64);
  EXPECT_FALSE(pace.share_at_once());
  pace.note_alone(kTasks, kLong);
  EXPECT_TRUE(pace.share_at_once());
}

TEST(GraphPace, GivesUpWhereSharingDoesNotPay) {
  GraphPace pace;
  pace.note_alone(kTasks, kLong);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(pace.share_at_once());
    pace.note_shared(kTasks, kLong);
  }
  EXPECT_FALSE(pace.share_at_once());
  pace.note_alone(kTasks, kLong);
  EXPECT_FALSE(pace.share_at_once());
}

TEST(GraphPace, ForgivesSingleOnes) {
  GraphPace pace;
  pace.note_alone(kTasks, kLong);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(pace.share_at_once());
    pace.note_shared(kTasks, i % 4 == 3 ? kLong / 2 : kLong);
  }
}

}  // namespace
}  // namespace tulle::omp
