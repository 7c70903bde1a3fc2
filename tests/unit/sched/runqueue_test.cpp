// SPDX-License-Identifier: Apache-2.0
#include "sched/runqueue.h"

#include <gtest/gtest.h>

#include "sched/worker.h"

namespace tulle::sched {
namespace {

struct Counted : Bubble {
  uint32_t entities = 1;
  mutable uint32_t enough = 0;  // what was asked for last
  Counted() {
    left = [](const Bubble* bubble, const Worker*, uint32_t enough) {
      auto* counted = static_cast<const Counted*>(bubble);
      counted->enough = enough;
      return counted->entities < enough ? counted->entities : enough;
    };
  }
};

struct RunqueueTest : testing::Test {
  Worker owner, thief;
  Runqueue& queue = owner.queue;
  Entity bound, first, second;
};

TEST_F(RunqueueTest, TheOwnerTakesBoundEntitiesFirst) {
  queue.push_ready(&first);
  queue.push_bound(&bound);
  queue.push_ready(&second);
  EXPECT_EQ(queue.waiting(), 3u);
  EXPECT_EQ(queue.pop_owner(), &bound);
  EXPECT_EQ(queue.pop_owner(), &first);
  EXPECT_EQ(queue.pop_owner(), &second);
  EXPECT_EQ(queue.pop_owner(), nullptr);
  EXPECT_FALSE(queue.has_entities());
}

TEST_F(RunqueueTest, FrontsStayAsLongAsTheSameStandFirst) {
  EXPECT_EQ(queue.fronts().ready, 0u);
  EXPECT_EQ(queue.fronts().unbegun, 0u);
  queue.push_ready(&first);
  uint64_t ready = queue.fronts().ready;
  EXPECT_NE(ready, 0u);
  queue.push_ready(&second);
  EXPECT_EQ(queue.fronts().ready, ready);
  EXPECT_EQ(queue.pop_owner(), &first);
  EXPECT_NE(queue.fronts().ready, ready);
  Counted bubble, younger;
  queue.push_bubble(&bubble, &owner);
  uint64_t unbegun = queue.fronts().unbegun;
  EXPECT_NE(unbegun, 0u);
  queue.push_bubble(&younger, &owner);
  EXPECT_EQ(queue.fronts().unbegun, unbegun);
  bubble.entities = 2;
  EXPECT_NE(queue.fronts().unbegun, unbegun);
  queue.remove_bubble(&younger);
  queue.remove_bubble(&bubble);
  EXPECT_EQ(queue.fronts().unbegun, 0u);
  EXPECT_EQ(queue.pop_owner(), &second);
}

// The oldest one alone is looked at without the lock, and what stays though nothing is left of it keeps nobody.
TEST_F(RunqueueTest, OneBubbleIsOpenedWithoutTheLock) {
  Counted bubble, younger;
  EXPECT_EQ(queue.open_bubble(&thief), nullptr);
  queue.push_bubble(&bubble, &owner);
  {
    sync::Guard guard(queue.lock);
    EXPECT_EQ(queue.open_bubble(&thief), &bubble);
    EXPECT_EQ(queue.open_bubble_if_free(&thief), &bubble);
    bubble.entities = 0;
    bubble.may_reopen = true;
    EXPECT_EQ(queue.open_bubble(&thief), nullptr);
    EXPECT_EQ(queue.open_bubble_if_free(&thief), nullptr);
  }
  queue.push_bubble(&younger, &owner);
  EXPECT_EQ(queue.open_bubble(&thief), &younger);
  {
    sync::Guard guard(queue.lock);
    EXPECT_EQ(queue.open_bubble_if_free(&thief), nullptr) << "the younger one takes the lock";
  }
  EXPECT_EQ(queue.open_bubble_if_free(&thief), &younger);
  bubble.may_reopen = false;
  EXPECT_EQ(queue.open_bubble(&thief), &younger) << "and the older one is dropped";
  younger.entities = 0;
  EXPECT_EQ(queue.open_bubble(&thief), nullptr);
  EXPECT_FALSE(queue.has_bubbles());
}

TEST_F(RunqueueTest, CountsWhatPoliciesHavePlaced) {
  queue.push_ready(&first);
  queue.threads = 2;
  EXPECT_EQ(queue.waiting(), 3u);
  EXPECT_EQ(queue.pop_owner(), &first);
  EXPECT_FALSE(queue.is_empty());
  EXPECT_FALSE(queue.is_empty_for_handler());
  uint64_t unbegun = queue.fronts().unbegun;
  EXPECT_NE(unbegun, 0u);
  queue.threads = 1;
  EXPECT_NE(queue.fronts().unbegun, unbegun);
  queue.threads = 0;
  EXPECT_EQ(queue.fronts().unbegun, 0u);
  EXPECT_TRUE(queue.is_empty());
}

TEST_F(RunqueueTest, ThievesTakeTheOldestThatIsNotBound) {
  queue.push_bound(&bound);
  EXPECT_FALSE(queue.has_stealable());
  EXPECT_EQ(queue.steal_any(), nullptr);
  queue.push_ready(&first);
  queue.push_ready(&second);
  EXPECT_EQ(queue.steal_any(), &first);
  EXPECT_EQ(queue.steal_any(), &second);
  EXPECT_EQ(queue.steal_any(), nullptr);
  EXPECT_TRUE(queue.has_entities());
  EXPECT_EQ(queue.pop_owner(), &bound);
}

TEST_F(RunqueueTest, TheMonitorTakesAll) {
  queue.push_ready(&first);
  queue.push_bound(&bound);
  queue.push_ready(&second);
  Entity* entity = queue.take_all();
  for (Entity* expected : {&bound, &first, &second}) {
    ASSERT_EQ(entity, expected);
    entity = entity->next_in_queue;
  }
  EXPECT_EQ(entity, nullptr);
  EXPECT_FALSE(queue.has_entities());
  EXPECT_FALSE(queue.has_stealable());
}

TEST_F(RunqueueTest, ABubbleStaysWhileSomethingIsLeft) {
  Counted outer, inner;
  queue.push_bubble(&outer, &owner);
  queue.push_bubble(&inner, &owner);
  EXPECT_EQ(outer.holder, &owner);
  EXPECT_EQ(queue.waiting(), 2u);
  EXPECT_EQ(queue.open_bubble(&thief), &outer) << "the oldest is the largest piece of work";
  EXPECT_EQ(queue.open_bubble(&owner), &outer);
  outer.entities = 0;
  EXPECT_EQ(queue.open_bubble(&thief), &inner);
  EXPECT_TRUE(outer.link.alone()) << "what has nothing left is dropped on the way";
  queue.remove_bubble(&inner);
  EXPECT_FALSE(queue.has_bubbles());
  queue.remove_bubble(&inner);  // nobody's
}

// Others wait for the lock meanwhile.
TEST_F(RunqueueTest, AThiefAsksForOneEntityAndTheMonitorForAll) {
  Counted bubble;
  bubble.entities = 100;
  queue.push_bubble(&bubble, &owner);
  EXPECT_EQ(queue.open_bubble(&thief), &bubble);
  EXPECT_EQ(bubble.enough, 1u);
  EXPECT_EQ(queue.waiting(), 100u);
  queue.remove_bubble(&bubble);
}

TEST_F(RunqueueTest, ABubbleThatMayOpenAgainStaysThere) {
  Counted bubble;
  bubble.entities = 0;
  bubble.may_reopen = true;
  queue.push_bubble(&bubble, &owner);
  EXPECT_EQ(queue.open_bubble(&thief), nullptr);
  EXPECT_TRUE(queue.may_reopen());
  bubble.entities = 1;
  EXPECT_TRUE(queue.has_open_bubble(&thief));
  queue.push_bubble(&bubble, &thief);  // it stands somewhere already
  EXPECT_EQ(bubble.holder, &thief);
  queue.remove_bubble(&bubble);
  EXPECT_FALSE(queue.may_reopen());
}

}  // namespace
}  // namespace tulle::sched
