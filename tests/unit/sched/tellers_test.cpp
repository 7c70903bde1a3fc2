// SPDX-License-Identifier: Apache-2.0
// The three ways in which whoever waits is told (sched/wait.h): who becomes ready when, without suspending
// anything. The ULTs are of an entity that the test holds, so they stay in its mailbox.
#include <gtest/gtest.h>

#include "sched/event.h"
#include "sched/parking.h"
#include "sched/wait_list.h"
#include "sched/worker.h"

namespace tulle::sched {
namespace {

struct TellersTest : testing::Test {
  static constexpr int kUlts = 3;
  Entity entity;
  Frame frame;
  Ult ults[kUlts];

  TellersTest() {
    entity.begin_call();
    entity.push(&frame);
    for (Ult& ult : ults) {
      ult.entity = &entity;
      ult.frame = &frame;
    }
  }

  // How many became ready since it was asked last.
  int ready() {
    int count = 0;
    while (entity.take_picked() != nullptr) ++count;
    return count;
  }
};

auto always = [] { return true; };
auto never = [] { return false; };

TEST_F(TellersTest, AWaitListWakesAll) {
  WaitList list;
  EXPECT_TRUE(list.empty());
  for (Ult& ult : ults) EXPECT_TRUE(list.add(&ult, never));
  EXPECT_FALSE(list.empty());
  EXPECT_EQ(ready(), 0);
  list.wake_all();
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(ready(), kUlts);
  list.wake_all();
  EXPECT_EQ(ready(), 0);
}

TEST_F(TellersTest, AWaitListLooksAgainOnceTheWaiterStandsInIt) {
  WaitList list;
  EXPECT_TRUE(list.add(&ults[0], always));
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(ready(), 1);
  Rare rare{list};
  EXPECT_TRUE(rare.add(&ults[1], always));
  EXPECT_EQ(ready(), 1);
}

TEST_F(TellersTest, ATurnIsNotDeferred) {
  WaitList list;
  Turn turn{list};
  EXPECT_FALSE(Turn::kDefers);
  turn.add(&ults[0], never);
  EXPECT_TRUE(ults[0].yields);
}

TEST_F(TellersTest, AnEventTellsItsWaiterOnce) {
  Event event;
  EXPECT_FALSE(event.happened());
  EXPECT_TRUE(event.add(&ults[0], never));
  EXPECT_EQ(ready(), 0);
  event.signal();
  EXPECT_TRUE(event.happened());
  EXPECT_EQ(ready(), 1);
}

TEST_F(TellersTest, AnEventThatHasHappenedIsNotWaitedFor) {
  Event event;
  event.signal();
  EXPECT_FALSE(event.add(&ults[0], never));
  EXPECT_EQ(ready(), 0);
}

TEST_F(TellersTest, AnAddressIsWaitedForOnlyWhileItsWordIsAsExpected) {
  std::atomic<uint32_t> word{1};
  Address other{word, 2};
  EXPECT_FALSE(other.enlist(&ults[0]));
  wake_all(word);
  EXPECT_EQ(ready(), 0);
}

TEST_F(TellersTest, WakingAllWakesThoseOfTheWord) {
  std::atomic<uint32_t> words[2] = {};
  Address first{words[0], 0}, second{words[0], 0}, stranger{words[1], 0};
  ASSERT_TRUE(first.enlist(&ults[0]));
  ASSERT_TRUE(second.enlist(&ults[1]));
  ASSERT_TRUE(stranger.enlist(&ults[2]));
  wake_all(words[0]);
  EXPECT_EQ(ready(), 2);
  wake_all(words[1]);
  EXPECT_EQ(ready(), 1);
}

// What the entity runs may wait for the same word below.
TEST_F(TellersTest, WakingOneGoesOnWhileTheEntityIsBusy) {
  std::atomic<uint32_t> word{0};
  Address first{word, 0}, second{word, 0};
  ASSERT_TRUE(first.enlist(&ults[0]));
  ASSERT_TRUE(second.enlist(&ults[1]));
  wake_one(word);
  EXPECT_EQ(ready(), 2);
}

TEST_F(TellersTest, WakingOneIsEnoughWhereItIsSureToRun) {
  Worker worker;
  worker.asleep = 1;  // whoever publishes wakes it, and nobody else
  entity.worker = &worker;
  ASSERT_TRUE(entity.retire());
  std::atomic<uint32_t> word{0};
  Address first{word, 0}, second{word, 0};
  ASSERT_TRUE(first.enlist(&ults[0]));
  ASSERT_TRUE(second.enlist(&ults[1]));
  wake_one(word);
  EXPECT_EQ(worker.asleep, 0u);
  EXPECT_EQ(worker.queue.pop_owner(), &entity);
  EXPECT_EQ(entity.take_picked(), &ults[0]);
  EXPECT_EQ(ready(), 0);
  wake_one(word);
  EXPECT_EQ(entity.take_picked(), &ults[1]);
}

}  // namespace
}  // namespace tulle::sched
