// SPDX-License-Identifier: Apache-2.0
#include "sched/sleepers.h"

#include <gtest/gtest.h>

#include <thread>

#include "sched/workers.h"

namespace tulle::sched {
namespace {

// Workers without OS threads. Other tests of this program leave no worker asleep.
struct SleepersTest : testing::Test {
  Worker* pool = new_worker(WorkerKind::pool);
  Worker* foreign = new_worker(WorkerKind::foreign);
  Worker* spare = new_worker(WorkerKind::spare);

  void SetUp() override {
    ASSERT_NE(pool, nullptr);
    ASSERT_NE(foreign, nullptr);
    ASSERT_NE(spare, nullptr);
    ASSERT_FALSE(somebody_sleeps());
    stand_ins.spares.fetch_add(1);  // it is awake
  }
  void TearDown() override {
    stand_ins.spares.fetch_sub(1);
    EXPECT_EQ(stand_ins.spares.load(), 0u);
    EXPECT_EQ(stand_ins.away.load(), 0u);
    EXPECT_FALSE(somebody_sleeps());
  }
};

TEST_F(SleepersTest, ASleepEndsByItselfOrByAnother) {
  begin_sleep(pool);
  EXPECT_TRUE(somebody_sleeps());
  EXPECT_TRUE(end_sleep(pool));

  begin_sleep(pool);
  EXPECT_TRUE(wake(pool));
  EXPECT_FALSE(wake(pool));
  EXPECT_FALSE(end_sleep(pool));
}

TEST_F(SleepersTest, ForeignWorkersTakeNobodysWork) {
  begin_sleep(foreign);
  EXPECT_EQ(claim_sleeper(), nullptr);
  EXPECT_FALSE(wake_any());
  EXPECT_TRUE(wake(foreign));
  EXPECT_FALSE(end_sleep(foreign));
}

TEST_F(SleepersTest, ACrewsSleepersAreItsOwn) {
  Crew crew;
  Worker* mate = new_worker(WorkerKind::pool, &crew);
  ASSERT_NE(mate, nullptr);
  begin_sleep(mate);
  EXPECT_EQ(claim_sleeper(), nullptr);
  EXPECT_FALSE(wake_any());
  EXPECT_EQ(claim_sleeper(&crew), mate);
  EXPECT_FALSE(end_sleep(mate));

  begin_sleep(pool);
  EXPECT_FALSE(wake_any(&crew));
  EXPECT_TRUE(wake_any());
  EXPECT_FALSE(end_sleep(pool));

  begin_sleep(mate);
  EXPECT_TRUE(wake_anybody());
  EXPECT_FALSE(wake_anybody());
  EXPECT_FALSE(end_sleep(mate));
  mate->crew.store(nullptr);  // workers are kept for good
}

TEST_F(SleepersTest, OnlyOneClaimsASleeper) {
  begin_sleep(pool);
  EXPECT_EQ(claim_sleeper(), pool);
  EXPECT_EQ(claim_sleeper(), nullptr);
  EXPECT_EQ(pool->asleep.load(), 0u);
  EXPECT_FALSE(end_sleep(pool));
}

TEST_F(SleepersTest, ABubblesHolderIsWokenFirst) {
  Worker* other = new_worker(WorkerKind::pool);
  ASSERT_NE(other, nullptr);
  begin_sleep(pool);
  begin_sleep(other);
  Bubble bubble;
  bubble.holder.store(other);
  wake_for(&bubble);
  EXPECT_EQ(other->asleep.load(), 0u);
  EXPECT_NE(pool->asleep.load(), 0u);
  wake_for(&bubble);  // the holder is awake: anybody
  EXPECT_EQ(pool->asleep.load(), 0u);
  end_sleep(other);
  end_sleep(pool);
}

TEST_F(SleepersTest, SparesAreWokenWhileMoreWorkersAreAwayThanSparesAwake) {
  begin_sleep(spare);
  EXPECT_EQ(stand_ins.spares.load(), 0u);
  stand_ins.away.store(1);
  EXPECT_TRUE(spare_wanted());
  EXPECT_EQ(claim_sleeper(), spare);
  EXPECT_EQ(stand_ins.spares.load(), 1u);
  EXPECT_FALSE(spare_wanted());
  stand_ins.away.store(0);
  EXPECT_FALSE(end_sleep(spare));
}

TEST_F(SleepersTest, ASpareThatWakesByItselfCountsAsAwake) {
  begin_sleep(spare);
  EXPECT_EQ(claim_sleeping_spare(), spare);
  EXPECT_FALSE(end_sleep(spare));
  begin_sleep(spare);
  EXPECT_TRUE(end_sleep(spare));
  EXPECT_EQ(stand_ins.spares.load(), 1u);
}

TEST_F(SleepersTest, WhatWaitsBehindAWorkerThatIsAwayIsHandedOn) {
  static Worker* asked;
  auto handed_on = hand_on_behind;
  hand_on_behind = [](Worker* away) { return (asked = away) != nullptr; };
  foreign->asleep.store(kAway);
  EXPECT_TRUE(wake(foreign));
  EXPECT_EQ(asked, foreign);
  EXPECT_EQ(foreign->asleep.load(), kAway);
  foreign->asleep.store(0);
  hand_on_behind = handed_on;
}

// Each of many wakes by two rousers is told to one of them, and none is lost.
TEST_F(SleepersTest, NoWakeIsLostOrToldTwice) {
  constexpr int kSleeps = 2000;
  std::atomic<int> told{0};
  std::atomic<bool> ended{false};
  auto rouser = [&] {
    while (!ended.load())
      if (somebody_sleeps() && wake_any()) told.fetch_add(1);
  };
  std::thread first(rouser), second(rouser);
  int woken = 0;
  for (int i = 0; i < kSleeps; ++i) {
    begin_sleep(pool);
    while (pool->asleep.load() != 0) wait_until_roused(pool);
    woken += !end_sleep(pool);
  }
  ended.store(true);
  first.join();
  second.join();
  EXPECT_EQ(woken, kSleeps);
  EXPECT_EQ(told.load(), kSleeps);
}

}  // namespace
}  // namespace tulle::sched
