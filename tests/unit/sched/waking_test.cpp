// SPDX-License-Identifier: Apache-2.0
#include "sched/waking.h"

#include <gtest/gtest.h>

#include "sched/sleepers.h"
#include "sched/workers.h"

namespace tulle::sched {
namespace {

constexpr uint32_t kGroup = WakeRound::kGroup;
constexpr uint32_t kSeats = 2 * kGroup + 4;

// Workers without OS threads, all asleep, each at a seat of its own.
struct WakingTest : testing::Test {
  Seat seats[kSeats];
  Worker* workers[kSeats];
  WakeRound round;

  void SetUp() override {
    for (uint32_t i = 0; i < kSeats; ++i) {
      workers[i] = seats[i].worker = new_worker(WorkerKind::pool);
      ASSERT_NE(workers[i], nullptr);
      if (i != 0) begin_sleep(workers[i]);
    }
  }
  void TearDown() override {
    for (uint32_t i = 1; i < kSeats; ++i) end_sleep(workers[i]);
  }

  SeatRange all() { return {seats, kSeats}; }
  bool sleeps(uint32_t i) const { return workers[i]->asleep.load() != 0; }
  uint32_t awake() const {
    uint32_t count = 0;
    for (uint32_t i = 1; i < kSeats; ++i) count += !sleeps(i);
    return count;
  }
};

TEST_F(WakingTest, GoesByGroups) {
  round.begin(all(), kSeats);
  EXPECT_EQ(awake(), kGroup - 1);
  EXPECT_FALSE(sleeps(kGroup - 1));
  EXPECT_TRUE(sleeps(kGroup));
  round.go_on(all());
  EXPECT_EQ(awake(), 2 * kGroup - 1);
  round.go_on(all());
  EXPECT_EQ(awake(), kSeats - 1);
  round.go_on(all());
  EXPECT_EQ(awake(), kSeats - 1);
}

TEST_F(WakingTest, EndsWithTheMembers) {
  round.begin(all(), 3);
  round.go_on(all());
  EXPECT_EQ(awake(), 2u);
}

TEST_F(WakingTest, PassesAGroupThatPolls) {
  for (uint32_t i = 1; i < kGroup; ++i) {
    end_sleep(workers[i]);
    workers[i]->seat.store(&seats[i]);
  }
  round.begin(all(), kSeats);
  EXPECT_EQ(awake(), 2 * kGroup - 1);
  for (uint32_t i = 1; i < kGroup; ++i) workers[i]->seat.store(nullptr);
}

TEST_F(WakingTest, WakesSomebodyElseForAWorkerThatIsBusy) {
  end_sleep(workers[1]);
  round.begin(all(), 2);
  EXPECT_EQ(awake(), 2u);
}

TEST_F(WakingTest, WakesNobodyInAGroupForAWorkerThatIsOnItsWay) {
  end_sleep(workers[1]);
  round.begin(all(), kSeats);
  EXPECT_EQ(awake(), kGroup - 1);
  EXPECT_TRUE(sleeps(kGroup));
}

TEST_F(WakingTest, WakesSomebodyElseInAGroupForAWorkerThatIsBusy) {
  end_sleep(workers[1]);
  workers[1]->busy = true;
  round.begin(all(), kSeats);
  EXPECT_EQ(awake(), kGroup);
  workers[1]->busy = false;
}

TEST_F(WakingTest, WakesOthersForMembersWithoutASeat) {
  round.begin({seats, 1}, 4);
  EXPECT_EQ(awake(), 3u);
}

}  // namespace
}  // namespace tulle::sched
