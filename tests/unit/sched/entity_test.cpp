// SPDX-License-Identifier: Apache-2.0
// Which frame of an entity goes on. The same decisions as in tests/models/frames.pml, one thread at a time.
#include "sched/entity.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "sched/ready.h"
#include "sched/worker.h"

namespace tulle::sched {
namespace {

// An entity that the test holds all the time, so that the clock lets nothing pass, with frames 0 (lowest) to 3, each suspended as far as `ults` says.
struct EntityTest : testing::Test {
  static constexpr int kFrames = 4;
  Entity entity;
  Frame frames[kFrames];
  Ult ults[kFrames];

  EntityTest() {
    entity.begin_call();
    for (int i = 0; i < kFrames; ++i) {
      frames[i].depth = static_cast<uint32_t>(i);
      entity.push(&frames[i]);
      ults[i].entity = &entity;
      ults[i].frame = &frames[i];
    }
  }
  ~EntityTest() override { entity.deferral.end(&entity); }

  void waits(std::initializer_list<int> which) {
    for (int i : which) entity.begin_waiting(&ults[i]);
  }
  void ready(std::initializer_list<int> which) {
    for (int i : which) make_ready(&ults[i]);
  }
  // The frame that goes on next; -1: none may.
  int next() {
    Ult* ult = entity.take_picked();
    if (ult == nullptr) return -1;
    if (ult->frame->state == FrameState::waiting) entity.end_waiting(ult->frame);
    return static_cast<int>(ult->frame - frames);
  }
};

TEST_F(EntityTest, InTheOrderInWhichTheyBecameReady) {
  ready({2, 0, 1});
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), -1);
}

TEST_F(EntityTest, BelowOneThatWaitsIsDeferred) {
  waits({2});
  ready({0, 1});
  EXPECT_EQ(next(), -1);
  EXPECT_TRUE(entity.has_ready()) << "a hint that says too much is harmless, too little is not";
  ready({2});
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 1) << "the innermost deferred one first";
  EXPECT_EQ(next(), 0);
}

TEST_F(EntityTest, AboveOneThatWaitsGoesOn) {
  waits({1});
  ready({3, 2, 0});
  EXPECT_EQ(next(), 3);
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), -1);
  ready({1});
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), 0);
}

TEST_F(EntityTest, WhoYieldsIsNotDeferred) {
  waits({2});
  ults[0].yields = true;
  ready({1, 0});
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(next(), -1);
  ready({2});
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 1);
}

TEST_F(EntityTest, DeferredFramesThatWaitDeferNothingTwice) {
  waits({1, 3});
  ready({1, 0});
  EXPECT_EQ(next(), -1);
  ready({3});
  EXPECT_EQ(next(), 3);
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(entity.waiting, 0u);
  EXPECT_EQ(entity.deferred, 0u);
}

// A task may begin above others that wait and are none of its ancestors: its place counts, not its depth.
TEST_F(EntityTest, PlaceCountsAndNotDepth) {
  frames[3].depth = 1;
  waits({2});
  ready({3});
  EXPECT_EQ(next(), 3);
}

TEST_F(EntityTest, EndsInAnyOrder) {
  entity.pop(&frames[1]);
  entity.pop(&frames[3]);
  waits({2});
  ready({0});
  EXPECT_EQ(next(), -1);
  ready({2});
  EXPECT_EQ(next(), 2);
  entity.pop(&frames[2]);
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(entity.innermost.load(), &frames[0]);
}

TEST_F(EntityTest, WhatIsLetPassGoesOnOnce) {
  waits({1, 3});
  ready({0, 2});
  EXPECT_EQ(next(), -1);
  entity.let_all_pass();
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(next(), -1);
  waits({2});
  ready({0});
  EXPECT_EQ(next(), -1) << "who waits anew defers anew";
  ready({2});
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 0);
}

// Nobody holds the entity meanwhile, and nothing moves: the clock lets pass what it defers, and puts it into the runqueue.
void let_pass(Worker& w, Entity* entity) {
  EXPECT_TRUE(entity->retire());
  for (int tick = 0; tick < 1000 && !w.queue.has_entities(); ++tick) tick_deferrals(Motion::none);
  EXPECT_EQ(w.queue.pop_owner(), entity);
}

TEST_F(EntityTest, WhatPassedMayWaitForWhatIsDeferredStill) {
  static Worker w;
  entity.worker = &w;
  waits({3});
  ready({1, 2});
  EXPECT_EQ(next(), -1);
  let_pass(w, &entity);
  EXPECT_EQ(next(), 2);
  waits({2});
  EXPECT_EQ(next(), -1);
  let_pass(w, &entity);
  EXPECT_EQ(next(), 1);
}

TEST_F(EntityTest, RetiresOnlyWhenNothingMayGoOn) {
  ready({0});
  EXPECT_FALSE(entity.retire());
  EXPECT_EQ(next(), 0);
  EXPECT_FALSE(entity.try_acquire());
  EXPECT_TRUE(entity.retire());
  EXPECT_TRUE(entity.try_acquire());
  EXPECT_FALSE(entity.try_acquire());
}

}  // namespace
}  // namespace tulle::sched
