// SPDX-License-Identifier: Apache-2.0
// Deque: each item goes to exactly one taker, under interleavings that a seed varies.
#include "sync/deque.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr uint32_t kCapacity = 64;
using Items = tulle::sync::Deque<int, kCapacity>;

bool any(const int*) { return true; }

TEST(Deque, OwnerTakesTheNewestAndThievesTheOldest) {
  Items deque;
  int items[4] = {};
  for (int& item : items) ASSERT_TRUE(deque.push_owner(&item));
  EXPECT_EQ(deque.size(), 4u);
  EXPECT_EQ(deque.peek_owner(), &items[3]);
  EXPECT_EQ(deque.pop_owner(), &items[3]);
  EXPECT_EQ(deque.steal_any(any), &items[0]);
  EXPECT_EQ(deque.steal_any(any), &items[1]);
  EXPECT_EQ(deque.pop_owner(), &items[2]);
  EXPECT_EQ(deque.pop_owner(), nullptr);
  EXPECT_EQ(deque.peek_owner(), nullptr);
  EXPECT_EQ(deque.steal_any(any), nullptr);
}

TEST(Deque, ThiefLeavesWhatItMayNotTake) {
  Items deque;
  int items[2] = {};
  for (int& item : items) ASSERT_TRUE(deque.push_owner(&item));
  EXPECT_EQ(deque.steal_any([&](const int* item) { return item != &items[0]; }), nullptr);
  EXPECT_EQ(deque.size(), 2u);
}

TEST(Deque, IsFullUntilSomebodyTakes) {
  Items deque;
  int items[kCapacity + 1] = {};
  for (uint32_t i = 0; i < kCapacity; ++i) ASSERT_TRUE(deque.push_owner(&items[i]));
  EXPECT_FALSE(deque.push_owner(&items[kCapacity]));
  EXPECT_EQ(deque.steal_any(any), &items[0]);
  EXPECT_TRUE(deque.push_owner(&items[kCapacity]));
}

TEST(Deque, ThievesWhoFindFewAskForMore) {
  Items deque;
  int items[kCapacity] = {};
  for (int& item : items) ASSERT_TRUE(deque.push_owner(&item));
  EXPECT_NE(deque.steal_any(any), nullptr);
  EXPECT_FALSE(deque.asked_owner());
  while (deque.size() > 2) deque.steal_any(any);
  EXPECT_TRUE(deque.asked_owner());
  EXPECT_TRUE(deque.holds_owner(kCapacity)) << "the owner has not looked at what thieves took";
  deque.recount_owner();
  EXPECT_FALSE(deque.holds_owner(3));
  EXPECT_TRUE(deque.holds_owner(2));
  EXPECT_FALSE(deque.asked_owner());
}

TEST(Deque, AnOwnerThatCountsSeesWhatThievesTookBeforeTheLastPush) {
  Items deque;
  int items[kCapacity] = {};
  for (uint32_t i = 0; i + 1 < kCapacity; ++i) ASSERT_TRUE(deque.push_owner(&items[i]));
  while (deque.size() > 2) deque.steal_any(any);
  ASSERT_TRUE(deque.push_owner(&items[kCapacity - 1]));
  EXPECT_TRUE(deque.holds_owner(kCapacity));
  EXPECT_FALSE(deque.holds_counted_owner(kCapacity));
  EXPECT_TRUE(deque.holds_counted_owner(3));
}

TEST(Deque, EachItemIsTakenOnce) {
  constexpr int kItems = 20000, kThieves = 3;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    Items deque;
    std::vector<int> items(kItems);
    std::vector<std::atomic<int>> taken(kItems);
    std::atomic<bool> done{false};
    auto take = [&](int* item) { ++taken[static_cast<size_t>(item - items.data())]; };
    std::vector<std::thread> thieves;
    for (int i = 0; i < kThieves; ++i)
      thieves.emplace_back([&] {
        while (!done)
          if (int* item = deque.steal_any(any)) take(item);
      });
    std::minstd_rand random(seed);
    for (int next = 0; next < kItems;) {
      if (random() % 3 != 0 && deque.push_owner(&items[static_cast<size_t>(next)]))
        ++next;
      else if (int* item = deque.pop_owner())
        take(item);
    }
    while (int* item = deque.pop_owner()) take(item);
    done = true;
    for (std::thread& thief : thieves) thief.join();
    for (const std::atomic<int>& count : taken) ASSERT_EQ(count, 1) << "seed " << seed;
  }
}

}  // namespace
