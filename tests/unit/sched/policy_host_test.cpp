// SPDX-License-Identifier: Apache-2.0
// The runtime's host without a runtime: what a policy sees and does, through struct tulle_host.
#include "sched/policy_host.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "kept.h"
#include "sched/policies/policies.h"

namespace tulle::sched {
namespace {

class Host : public ::testing::Test {
 protected:
  Host() {
    topology::TreePtr machine = topology::from_synthetic("numa:2 core:2 pu:1");
    tree_ = kept(QueueTree::make(*machine, 4));
    host_.use_tree(tree_);
  }

  // A team whose encountering thread runs at `leaf`.
  PlacedBubble& team(uint32_t threads, uint32_t leaf, PlacedBubble* around = nullptr) {
    auto& parts = parts_.emplace_back(new PlacedThread[threads]);
    auto& bubble = *bubbles_.emplace_back(new PlacedBubble);
    bubble.parts = parts.get();
    bubble.count = threads;
    bubble.own_load = 1;
    for (uint32_t i = 0; i < threads; ++i) {
      parts[i].number = i + 1;
      if (uneven_) parts[i].load = 0.1 * (1 + random_() % 20);
    }
    host_.begin(&bubble, around, tree_->leaf(leaf), around == nullptr);
    return bubble;
  }

  static tulle_entity* handle(Placed* entity) { return reinterpret_cast<tulle_entity*>(entity); }
  static tulle_runqueue* handle(Runqueue* queue) { return reinterpret_cast<tulle_runqueue*>(queue); }
  double load_below(Runqueue* queue) { return host_.load_below(&host_, handle(queue)); }
  uint32_t threads(Placed& entity) { return host_.threads(&host_, handle(&entity)); }

  std::atomic<uint32_t> waiting_{0};
  PolicyHost host_{waiting_};
  QueueTree* tree_ = nullptr;
  std::mt19937 random_{7};
  bool uneven_ = false;  // loads
  std::vector<std::unique_ptr<PlacedThread[]>> parts_;
  std::vector<std::unique_ptr<PlacedBubble>> bubbles_;
};

TEST_F(Host, ShowsANewTeamClosedWhereItWasEncountered) {
  PlacedBubble& bubble = team(3, 1);
  EXPECT_EQ(host_.where(&host_, handle(&bubble)), handle(tree_->leaf(1)));
  EXPECT_EQ(host_.first_in(&host_, handle(tree_->leaf(1))), handle(&bubble));
  EXPECT_EQ(host_.next_in(&host_, handle(&bubble)), nullptr);
  EXPECT_EQ(threads(bubble), 3u);
  EXPECT_EQ(host_.load(&host_, handle(&bubble)), 3);
  EXPECT_EQ(load_below(tree_->root()), 4);  // the encountering thread too
  EXPECT_EQ(load_below(tree_->leaf(0)), 0);
  uint32_t parts = 0;
  for (tulle_entity* part = host_.first_part(&host_, handle(&bubble)); part != nullptr;
       part = host_.next_part(&host_, part)) {
    EXPECT_EQ(host_.bubble(&host_, part), handle(&bubble));
    EXPECT_EQ(host_.where(&host_, part), nullptr);
    ++parts;
  }
  EXPECT_EQ(parts, 3u);
}

TEST_F(Host, MovesAndExplodes) {
  PlacedBubble& bubble = team(3, 0);
  host_.move(&host_, handle(&bubble), handle(tree_->root()));
  EXPECT_EQ(bubble.queue, tree_->root());
  host_.explode(&host_, handle(&bubble));
  EXPECT_EQ(host_.where(&host_, handle(&bubble)), nullptr);
  EXPECT_EQ(threads(bubble), 0u);
  EXPECT_EQ(host_.first_in(&host_, handle(tree_->root())), handle(&bubble.parts[0]));
  EXPECT_EQ(host_.next_in(&host_, handle(&bubble.parts[0])), handle(&bubble.parts[1]));
  host_.move(&host_, handle(&bubble.parts[1]), handle(tree_->leaf(3)));
  EXPECT_EQ(load_below(tree_->leaf(3)->parent), 1);
  EXPECT_EQ(load_below(tree_->root()), 4);
  EXPECT_EQ(tree_->root()->threads.load(), 2u);
}

TEST_F(Host, OfAPartEndsThere) {
  PlacedBubble& outer = team(1, 0);
  host_.take(&outer.parts[0], tree_->leaf(1));
  PlacedBubble& inner = team(2, 1, &outer);
  Runqueue* node = tree_->leaf(1)->parent;
  PolicyHost part(host_, node, 1);
  EXPECT_EQ(part.tulle_host::root(&part), handle(node));
  EXPECT_EQ(part.parent(&part, handle(node)), nullptr);
  EXPECT_EQ(part.parent(&part, handle(tree_->leaf(1))), handle(node));
  EXPECT_EQ(host_.next_part(&host_, host_.first_part(&host_, handle(&outer))), handle(&inner));
  EXPECT_EQ(part.next_part(&part, part.first_part(&part, handle(&outer))), nullptr) << "threads only";
  part.move(&part, handle(&inner), handle(node));
  EXPECT_EQ(inner.queue, node);
  EXPECT_EQ(part.take_fresh(), node);
  EXPECT_EQ(load_below(tree_->root()), 4);
}

TEST_F(Host, OfManyWorkersAddsUpWhatIsBelow) {
  topology::TreePtr machine = topology::from_synthetic("numa:2 core:8 pu:1");
  QueueTree* tree = kept(QueueTree::make(*machine, 16));
  std::atomic<uint32_t> waiting{0};
  PolicyHost host(waiting);
  host.use_tree(tree);
  auto load_below = [&host](Runqueue* queue) {
    return host.load_below(&host, reinterpret_cast<tulle_runqueue*>(queue));
  };
  PlacedThread parts[4];
  PlacedBubble bubble;
  bubble.parts = parts;
  bubble.count = 4;
  bubble.own_load = 1;
  host.begin(&bubble, nullptr, tree->leaf(9), true);
  EXPECT_EQ(load_below(tree->root()), 5);
  host.move(&host, reinterpret_cast<tulle_entity*>(&bubble), reinterpret_cast<tulle_runqueue*>(tree->root()));
  EXPECT_EQ(load_below(tree->root()), 5);
  EXPECT_EQ(load_below(tree->leaf(9)->parent), 1);
  EXPECT_FALSE(host.take(&parts[0], tree->leaf(0)));
  EXPECT_EQ(load_below(tree->leaf(0)->parent), 1);
  EXPECT_EQ(load_below(tree->root()), 5);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(host.take(&parts[i], tree->leaf(1)), i == 3) << "the last one that waits";
  EXPECT_EQ(load_below(tree->leaf(0)->parent), 4);
  for (PlacedThread& part : parts) host.finish(&part);
  EXPECT_EQ(load_below(tree->leaf(0)->parent), 0);
  host.end(&bubble);
  EXPECT_EQ(load_below(tree->root()), 0);
}

TEST_F(Host, TakesAThreadOutOfAClosedBubble) {
  PlacedBubble& bubble = team(2, 0);
  host_.take(&bubble.parts[1], tree_->leaf(2));
  EXPECT_EQ(threads(bubble), 1u);
  EXPECT_EQ(load_below(tree_->leaf(2)), 1);
  EXPECT_EQ(load_below(tree_->leaf(0)), 2);
  host_.take(&bubble.parts[0], nullptr);
  EXPECT_EQ(bubble.queue, nullptr);  // empty bubbles stand nowhere
  EXPECT_FALSE(host_.finish(&bubble.parts[0]));
  EXPECT_TRUE(host_.finish(&bubble.parts[1]));
  host_.end(&bubble);
  EXPECT_EQ(load_below(tree_->root()), 0);
  EXPECT_EQ(waiting_.load(), 0u);
}

TEST_F(Host, DoesNotMoveWhatRuns) {
  PlacedBubble& bubble = team(1, 0);
  host_.take(&bubble.parts[0], tree_->leaf(0));
  host_.move(&host_, handle(&bubble.parts[0]), handle(tree_->leaf(3)));
  host_.move(&host_, handle(&bubble), handle(tree_->leaf(3)));
  EXPECT_EQ(load_below(tree_->leaf(3)), 0);
  EXPECT_EQ(host_.first_in(&host_, handle(tree_->leaf(3))), nullptr);
}

TEST_F(Host, PassesOnWhatGoesToALeafWithoutAWorker) {
  tree_->leaf(3)->served = false;
  PlacedBubble& bubble = team(1, 0);
  host_.move(&host_, handle(&bubble), handle(tree_->leaf(3)));
  EXPECT_EQ(bubble.queue, tree_->leaf(3)->parent);
}

TEST_F(Host, ListsNestedTeamsAmongTheParts) {
  PlacedBubble& outer = team(2, 0);
  host_.open(&outer);
  host_.take(&outer.parts[0], tree_->leaf(1));
  PlacedBubble& inner = team(3, 1, &outer);
  std::vector<tulle_entity*> parts;
  for (tulle_entity* part = host_.first_part(&host_, handle(&outer)); part != nullptr;
       part = host_.next_part(&host_, part))
    parts.push_back(part);
  EXPECT_EQ(parts, (std::vector{handle(&outer.parts[0]), handle(&outer.parts[1]), handle(&inner)}));
  EXPECT_EQ(host_.bubble(&host_, handle(&inner)), handle(&outer));
  for (uint32_t i = 0; i < 3; ++i) host_.take(&inner.parts[i], nullptr);
  for (uint32_t i = 0; i < 3; ++i) host_.finish(&inner.parts[i]);
  host_.end(&inner);
  EXPECT_EQ(outer.nested, nullptr);
}

// Teams come and go as a policy wills; each thread runs once, and what is left is nothing.
TEST_F(Host, LosesNothingUnderAnyPolicy) {
  uneven_ = true;
  for (const tulle_policy* policy : kPolicies) {
    for (int round = 0; round < 300; ++round) {
      PlacedBubble& bubble = team(1 + random_() % 9, random_() % 4);
      if (policy->distribute != nullptr)
        policy->distribute(&host_, handle(&bubble), handle(tree_->leaf(random_() % 4)));
      for (uint32_t ran = 0; ran < bubble.count; ++ran) {
        Runqueue* leaf = tree_->leaf(random_() % 4);
        PlacedThread* thread = nullptr;
        for (Runqueue* queue : tree_->queues())
          if (Placed* entity = PolicyHost::first_standing(queue); entity != nullptr && thread == nullptr)
            thread = PolicyHost::first_thread(entity);
        ASSERT_NE(thread, nullptr) << policy->name;
        host_.take(thread, leaf);
        host_.finish(thread);
        if (policy->idle != nullptr) policy->idle(&host_, handle(leaf));
      }
      EXPECT_EQ(bubble.waiting.load(), 0u);
      host_.end(&bubble);
      for (Runqueue* queue : tree_->queues()) {
        EXPECT_EQ(queue->threads.load(), 0u);
        EXPECT_EQ(load_below(queue), 0);
        EXPECT_NEAR(queue->load_below, 0, 1e-9);  // sums of fractions do not drift for ever
        EXPECT_TRUE(queue->standing.alone());
      }
    }
  }
}

}  // namespace
}  // namespace tulle::sched
