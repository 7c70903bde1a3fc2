// SPDX-License-Identifier: Apache-2.0
#include "sched/placing.h"

#include <gtest/gtest.h>

#include <vector>

#include "kept.h"
#include "os/cpus.h"
#include "sched/placed.h"
#include "sched/policy_choice.h"
#include "sched/settings.h"
#include "sched/sleepers.h"
#include "sched/worker_tree.h"
#include "sched/workers.h"

namespace tulle::sched {
namespace {

constexpr int kWorkers = 4;

int ended_calls, tick_calls;

const tulle_policy kStays{TULLE_POLICY_VERSION, "stays", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
const tulle_policy kCounts{TULLE_POLICY_VERSION, "counts", nullptr, nullptr, nullptr,
                           [](tulle_host*, tulle_entity*) { ++tick_calls; },
                           [](tulle_host*, tulle_entity*) { ++ended_calls; }, nullptr};

// Workers without OS threads: the encountering one is foreign and has leaf 0, pool worker i has leaf i.
struct PlacingTest : testing::Test {
  CpuSet before;
  Worker* foreign = nullptr;
  Worker* pool[kWorkers] = {};
  PolicyChoice choice{&kStays};
  std::vector<PlacedThread> parts{3};
  PlacedBubble bubble;

  void SetUp() override {
    ASSERT_TRUE(os::affinity_mask(0, before));
    ended_calls = tick_calls = 0;
    set_workers(kWorkers);
    foreign = kept(new_worker(WorkerKind::foreign));
    ASSERT_NE(foreign, nullptr);
    for (int i = 1; i < kWorkers; ++i) {
      pool[i] = kept(new_worker(WorkerKind::pool));
      ASSERT_NE(pool[i], nullptr);
      pool[i]->leaf = static_cast<uint32_t>(i);
      set_pool_worker(i, pool[i]);
    }
    ASSERT_TRUE(ready_to_place(kWorkers - 1));
    begin(parts, bubble);
  }
  void TearDown() override {
    reset_placed_after_fork(foreign);
    for (int i = 1; i < kWorkers; ++i) set_pool_worker(i, nullptr);
    os::set_affinity_mask(0, before);
  }

  void begin(std::vector<PlacedThread>& of, PlacedBubble& in) {
    for (uint32_t i = 0; i < of.size(); ++i) of[i].number = i + 1;
    in.parts = of.data();
    in.count = static_cast<uint32_t>(of.size());
    in.choice = &choice;
    in.origin = foreign;
    in.own_load = 1;
  }
  void end_all() {
    for (PlacedThread& part : parts) placed_ended(&part);
    end_placed(&bubble, foreign);
  }
};

TEST_F(PlacingTest, TheEncounteringThreadTakesWhatStandsAboveIt) {
  place(&bubble, nullptr, foreign);
  EXPECT_EQ(placed_waiting.load(), 1u) << "bubbles";
  EXPECT_EQ(foreign->placed_waiting.load(), 1u);
  EXPECT_EQ(placed_above(foreign), 1u);
  uint32_t next = 0;
  for (PlacedThread& part : parts) EXPECT_EQ(take_own(&bubble, foreign, false, next), &part);
  EXPECT_EQ(take_own(&bubble, foreign, false, next), nullptr);
  EXPECT_EQ(placed_waiting.load(), 0u);
  EXPECT_EQ(foreign->placed_waiting.load(), 0u);
  end_all();
}

int distributed;
tulle_runqueue* told_root;
const tulle_policy kWithin{TULLE_POLICY_VERSION, "within",
                           [](tulle_host* host, tulle_entity* bubble, tulle_runqueue*) {
                             ++distributed;
                             told_root = host->root(host);
                             host->move(host, bubble, told_root);
                           },
                           nullptr, nullptr, nullptr, nullptr,
                           [](tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) -> tulle_runqueue* {
                             return host->threads(host, bubble) == 2 ? from : nullptr;
                           }};

TEST_F(PlacingTest, AnInnerTeamIsDistributedWithinItsScope) {
  choice.policy = &kWithin;
  distributed = 0;
  place(&bubble, nullptr, foreign);
  EXPECT_EQ(told_root, reinterpret_cast<tulle_runqueue*>(known_tree()->root())) << "an outermost one has none";
  std::vector<PlacedThread> few(2), many(3);
  PlacedBubble within, anywhere, crowded;
  begin(few, within);
  begin(many, anywhere);
  place(&within, &bubble, pool[2]);
  EXPECT_EQ(told_root, reinterpret_cast<tulle_runqueue*>(&pool[2]->queue));
  EXPECT_EQ(find_placed(pool[2]), &few[0]);
  place(&anywhere, &bubble, pool[2]);
  EXPECT_EQ(told_root, reinterpret_cast<tulle_runqueue*>(known_tree()->root()));
  EXPECT_EQ(distributed, 3);
  std::vector<PlacedThread> more(2);
  begin(more, crowded);
  place(&crowded, &bubble, pool[3], true);
  EXPECT_EQ(distributed, 3) << "every worker has a thread: it stays";
  EXPECT_EQ(find_placed(pool[3]), &more[0]);
  EXPECT_EQ(placed_waiting.load(), 4u);
  for (PlacedBubble* of : {&crowded, &anywhere, &within, &bubble}) {
    uint32_t next = 0;
    while (take_own(of, foreign, true, next) != nullptr) {
    }
    for (uint32_t i = 0; i < of->count; ++i) placed_ended(&of->parts[i]);
    end_placed(of, foreign);
  }
  EXPECT_EQ(placed_waiting.load(), 0u);
}

TEST_F(PlacingTest, WhatStandsAtALeafIsNotFoundByOthers) {
  place(&bubble, nullptr, foreign);
  EXPECT_EQ(find_placed(pool[1]), nullptr);
  uint32_t next = 0;
  EXPECT_EQ(take_own(&bubble, pool[1], false, next), nullptr);
  EXPECT_EQ(take_own(&bubble, pool[1], true, next = 0), &parts[0]) << "anywhere";
  EXPECT_EQ(find_placed(foreign), &parts[1]) << "the bubble opens where it stands";
  EXPECT_FALSE(bubble.closed);
  EXPECT_EQ(find_placed(foreign), &parts[2]);
  end_all();
}

TEST_F(PlacingTest, AForeignThreadTakesNothingOfOthers) {
  Worker* other = kept(new_worker(WorkerKind::foreign));
  ASSERT_NE(other, nullptr);
  place(&bubble, nullptr, foreign);
  EXPECT_FALSE(placed_waits_for(other));
  EXPECT_EQ(find_placed(other), nullptr);
  EXPECT_TRUE(placed_waits_for(foreign));
  uint32_t next = 0;
  while (take_own(&bubble, foreign, true, next) != nullptr) {
  }
  end_all();
}

TEST_F(PlacingTest, ASpareTakesFromAnywhere) {
  Worker* spare = kept(new_worker(WorkerKind::spare));
  ASSERT_NE(spare, nullptr);
  spare->leaf = kWorkers - 1;
  place(&bubble, nullptr, foreign);
  for (PlacedThread& part : parts) EXPECT_EQ(find_placed(spare), &part);
  EXPECT_EQ(find_placed(spare), nullptr);
  end_all();
}

TEST_F(PlacingTest, WakesWhoeverCanFindThem) {
  begin_sleep(foreign);
  begin_sleep(pool[1]);
  place(&bubble, nullptr, pool[1]);
  EXPECT_EQ(pool[1]->asleep.load(), 0u);
  while (find_placed(pool[1]) != nullptr) {
  }
  EXPECT_EQ(placed_waiting.load(), 0u);
  end_sleep(foreign);
  end_sleep(pool[1]);
  end_all();
}

TEST_F(PlacingTest, TellsThePolicyOfTicksAndEnds) {
  choice.policy = &kCounts;
  place(&bubble, nullptr, foreign);
  uint32_t next = 0;
  while (take_own(&bubble, foreign, true, next) != nullptr) {
  }
  EXPECT_EQ(bubble.waiting.load(), 0u);
  tick_placed();
  EXPECT_EQ(tick_calls, 0) << "nothing waits";
  for (PlacedThread& part : parts) placed_ended(&part);
  EXPECT_EQ(ended_calls, 4) << "three threads, and the bubble with the last";
  end_placed(&bubble, foreign);
}

TEST_F(PlacingTest, ATickIsForBubblesThatWait) {
  choice.policy = &kCounts;
  place(&bubble, nullptr, foreign);
  tick_placed();
  EXPECT_EQ(tick_calls, 1);
  uint32_t next = 0;
  while (take_own(&bubble, foreign, true, next) != nullptr) {
  }
  end_all();
}

}  // namespace
}  // namespace tulle::sched
