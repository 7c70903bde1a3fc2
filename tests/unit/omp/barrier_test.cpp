// SPDX-License-Identifier: Apache-2.0
// Barriers of teams whose members each have a worker, on however few cores.
#include "omp/worksharing/barrier.h"

#include <gtest/gtest.h>

#include <atomic>

#include "in_region.h"
#include "large_teams.h"
#include "os/clock.h"

namespace tulle::omp {
namespace {

using BarrierTest = test::LargeTeams;

// Nobody passes a barrier before all have come to it; members come in different orders, some late.
void meet(uint32_t members, uint32_t barriers, uint64_t late) {
  std::atomic<uint32_t> came{0};
  std::atomic<bool> wrong{false};
  test::in_region(members, [&](Thread* thread) {
    const uint32_t number = thread->num;
    for (uint32_t i = 0; i < barriers; ++i) {
      if (late != 0 && (i * 7 + number) % members == 0) os::sleep_for(late);
      came.fetch_add(1, std::memory_order_relaxed);
      barrier(self());
      if (came.load(std::memory_order_relaxed) < members * (2 * i + 1)) wrong = true;
      came.fetch_add(1, std::memory_order_relaxed);
      barrier(self());
    }
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(came.load(), members * barriers * 2);
}

TEST_F(BarrierTest, IsATreeForMoreThanEight) {
  if (ult::race_detector) GTEST_SKIP() << "no team is flat there";
  for (uint32_t members : {8u, 9u, 16u, 33u}) {
    use(static_cast<int>(members));
    meet(members, 1, 0);
    EXPECT_EQ(self()->inner->meets_at, members > 8 ? MeetAt::tree : MeetAt::flags) << members;
    meet(members, 40, 0);
  }
}

TEST_F(BarrierTest, WakesThoseWhoSleep) {
  sched::set_spin(0);  // each member is suspended at once
  for (uint32_t members : {9u, 20u}) {
    use(static_cast<int>(members));
    meet(members, 30, 0);
    meet(members, 10, 300000);
  }
}

TEST_F(BarrierTest, HoldsWhereSomePollAndSomeSleep) {
  sched::set_spin(30000);
  use(12);
  meet(12, 20, 100000);
}

TEST_F(BarrierTest, ChangesSizeAndComesBack) {
  use(24);
  for (uint32_t members : {24u, 10u, 24u, 17u, 9u, 12u, 24u, 3u, 24u}) meet(members, 3, 0);
}

// Members that meet begin on their own workers, which are at their seats for the next region then.
TEST_F(BarrierTest, LeadersPublishRegions) {
  if (ult::race_detector) GTEST_SKIP() << "no team is flat there";
  use(20);
  sched::set_spin(sched::kEndless);
  std::atomic<uint32_t> ran{0};
  uint32_t by_leaders = 0;
  for (uint32_t i = 1; i <= 200; ++i) {
    const bool meets = i % 3 != 0;
    test::in_region(20, [&](Thread*) {
      ran.fetch_add(1, std::memory_order_relaxed);
      if (meets) barrier(self());
    });
    ASSERT_EQ(ran.load(), i * 20);
    by_leaders += self()->inner->by_leaders ? 1 : 0;
  }
  EXPECT_GT(by_leaders, 0u);
}

// A member of a cluster is late, so the join takes what its worker has not begun.
TEST_F(BarrierTest, LeadersAreLate) {
  for (uint64_t spin : {uint64_t{0}, uint64_t{30000}, uint64_t{5000000}}) {
    use(20);
    sched::set_spin(spin);
    std::atomic<uint32_t> ran{0};
    for (uint32_t i = 1; i <= 60; ++i) {
      test::in_region(20, [&](Thread* thread) {
        if ((thread->num + i) % 7 == 0) os::sleep_for(200000);
        ran.fetch_add(1, std::memory_order_relaxed);
      });
      ASSERT_EQ(ran.load(), i * 20);
    }
  }
}

TEST_F(BarrierTest, IsACounterWithoutTrees) {
  uses_trees = false;
  use(12);
  meet(12, 10, 0);
  EXPECT_EQ(self()->inner->meets_at, MeetAt::counter);
}

}  // namespace
}  // namespace tulle::omp
