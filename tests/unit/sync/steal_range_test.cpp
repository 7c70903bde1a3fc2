// SPDX-License-Identifier: Apache-2.0
// StealRange: each number goes to exactly one taker, whoever opens the range, under interleavings
// that a seed varies.
#include "sync/steal_range.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace {

using tulle::sync::StealRange;
using Part = StealRange::Part;

Part take_one(StealRange& range) {
  return range.take_owner([](Part) { return 1u; });
}

TEST(StealRange, OwnerTakesFromTheLowEndAndThievesHalfOfTheHigh) {
  StealRange range;
  range.open_owner(3, {10, 20});
  EXPECT_EQ(take_one(range).low, 10u);
  Part stolen = range.steal_any(3, false, {});
  EXPECT_EQ(stolen.low, 15u);
  EXPECT_EQ(stolen.high, 20u);
  Part rest = range.take_owner([](Part all) { return all.size(); });
  EXPECT_EQ(rest.low, 11u);
  EXPECT_EQ(rest.high, 15u);
  EXPECT_TRUE(take_one(range).empty());
  EXPECT_TRUE(range.steal_any(3, false, {}).empty());
}

TEST(StealRange, ThievesTakeTheLowestOneOfThisGeneration) {
  StealRange range;
  range.skip_owner(4);
  EXPECT_EQ(range.left(4), 0u);
  range.refill_owner(4, {7, 9});
  EXPECT_EQ(range.left(4), 2u);
  EXPECT_EQ(range.left(3), 0u);
  EXPECT_TRUE(range.take_any(3).empty());
  Part taken = range.take_any(4);
  EXPECT_EQ(taken.low, 7u);
  EXPECT_EQ(taken.high, 8u);
  EXPECT_EQ(take_one(range).low, 8u);
  EXPECT_TRUE(range.take_any(4).empty());
}

TEST(StealRange, OneNumberIsStolenWhole) {
  StealRange range;
  range.open_owner(1, {5, 6});
  Part stolen = range.steal_any(1, false, {});
  EXPECT_EQ(stolen.low, 5u);
  EXPECT_TRUE(take_one(range).empty());
}

TEST(StealRange, ClearedRangeIsEmptyAndCanBeOpened) {
  StealRange range;
  range.clear(1);
  EXPECT_TRUE(range.steal_any(1, true, {0, 4}).empty());
  range.open_owner(0, {0, 4});
  EXPECT_EQ(take_one(range).low, 0u);
}

TEST(StealRange, ThiefOpensOnlyWhereItMay) {
  StealRange range;
  EXPECT_TRUE(range.steal_any(2, false, {0, 8}).empty());
  Part stolen = range.steal_any(2, true, {0, 8});
  EXPECT_EQ(stolen.low, 4u);
  range.open_owner(2, {0, 8});  // comes second: what the thief left
  Part rest = range.take_owner([](Part all) { return all.size(); });
  EXPECT_EQ(rest.low, 0u);
  EXPECT_EQ(rest.high, 4u);
}

TEST(StealRange, LateThiefDoesNotOpenAnEarlierGeneration) {
  StealRange range;
  range.open_owner(9, {0, 8});
  EXPECT_TRUE(range.steal_any(5, true, {0, 8}).empty());
  EXPECT_EQ(range.steal_any(9, false, {}).low, 4u);
  range.open_owner(0xfffffe, {0, 8});
  EXPECT_EQ(range.steal_any(2, true, {0, 8}).low, 4u);  // generations wrap
  EXPECT_TRUE(range.steal_any(0xfffffe, true, {0, 8}).empty());
}

TEST(StealRange, LargestNumbers) {
  StealRange range;
  range.open_owner(0xffffff, {StealRange::kLimit - 2, StealRange::kLimit});
  EXPECT_EQ(take_one(range).low, StealRange::kLimit - 2);
  EXPECT_EQ(range.steal_any(0xffffff, false, {}).low, StealRange::kLimit - 1);
  EXPECT_TRUE(take_one(range).empty());
}

class StealRangeStress : public testing::TestWithParam<unsigned> {};

// One owner and two thieves go through generations; thieves wait for the owner to finish one, and
// race with it for who opens it.
TEST_P(StealRangeStress, EachNumberOnce) {
  constexpr uint32_t kGenerations = 400, kNumbers = 64;
  StealRange range;
  std::vector<std::atomic<uint8_t>> taken(kGenerations * kNumbers);
  std::atomic<uint32_t> finished{0};  // members through with the present generation
  std::atomic<uint32_t> generation{1};
  auto take = [&](uint32_t g, Part part) {
    for (uint32_t i = part.low; i < part.high; ++i) taken[(g - 1) * kNumbers + i].fetch_add(1);
  };
  auto meet = [&](uint32_t g) {
    if (finished.fetch_add(1) + 1 == 3) {
      finished.store(0);
      generation.store(g + 1);
    }
    while (generation.load() == g) std::this_thread::yield();
  };
  auto pause = [](std::mt19937& random) {
    for (unsigned i = random() % 64; i > 0; --i) asm volatile("");
  };
  auto owner = [&] {
    std::mt19937 random(GetParam());
    for (uint32_t g = 1; g <= kGenerations; ++g) {
      pause(random);
      range.open_owner(g, {0, kNumbers});
      for (;;) {
        Part part = range.take_owner([&](Part all) { return 1 + random() % all.size() % 5; });
        if (part.empty()) break;
        take(g, part);
        pause(random);
      }
      meet(g);
    }
  };
  auto thief = [&](unsigned number) {
    std::mt19937 random(GetParam() * 7 + number);
    for (uint32_t g = 1; g <= kGenerations; ++g) {
      for (unsigned tries = random() % 6; tries > 0; --tries) {
        take(g, range.steal_any(g, true, {0, kNumbers}));
        pause(random);
      }
      meet(g);
    }
  };
  std::thread one(thief, 1), two(thief, 2);
  owner();
  one.join();
  two.join();
  for (size_t i = 0; i < taken.size(); ++i) ASSERT_EQ(taken[i].load(), 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Seeds, StealRangeStress, testing::Range(1u, 5u));

}  // namespace
