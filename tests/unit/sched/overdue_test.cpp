// SPDX-License-Identifier: Apache-2.0
#include "sched/overdue.h"

#include <gtest/gtest.h>

namespace tulle::sched {
namespace {

// The tick, counted from 1, at which the same front is found to have waited for too long.
uint32_t ticks_until_overdue(Overdue& overdue, uint64_t front) {
  constexpr uint32_t kMany = 1000;
  for (uint32_t tick = 1; tick < kMany; ++tick)
    if (overdue.tick(front)) return tick;
  return kMany;
}

TEST(Overdue, IsWhatStandsFirstForLong) {
  Overdue overdue;
  EXPECT_FALSE(overdue.tick(7));
  EXPECT_EQ(ticks_until_overdue(overdue, 7), durations::kOverdue);
}

TEST(Overdue, IsSoonerWhereSomethingHasWaitedEverSince) {
  Overdue overdue;
  ticks_until_overdue(overdue, 7);
  EXPECT_EQ(ticks_until_overdue(overdue, 7), durations::kOverdueAgain);
  EXPECT_FALSE(overdue.tick(8));
  EXPECT_EQ(ticks_until_overdue(overdue, 8), durations::kOverdueAgain);
  EXPECT_FALSE(overdue.tick(0));
  EXPECT_FALSE(overdue.tick(8));
  EXPECT_EQ(ticks_until_overdue(overdue, 8), durations::kOverdue);
}

TEST(Overdue, NothingIsWhereAnotherOneStandsFirstEachTime) {
  Overdue overdue;
  for (uint64_t front = 1; front < 1000; ++front) EXPECT_FALSE(overdue.tick(front));
  for (int tick = 0; tick < 1000; ++tick) EXPECT_FALSE(overdue.tick(0));
}

}  // namespace
}  // namespace tulle::sched
