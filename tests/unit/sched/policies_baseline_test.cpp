// SPDX-License-Identifier: Apache-2.0
// The simple policies: GLTO's round robin and shared queue, and the random victim.
#include "simulated.h"

namespace tulle::simulator {
namespace {

std::vector<int> leaves_of(const std::vector<tulle_entity*>& threads) {
  std::vector<int> leaves;
  for (const tulle_entity* thread : threads) {
    EXPECT_NE(thread->where, nullptr);
    if (thread->where != nullptr)
      leaves.push_back(thread->where->workers == 1 ? thread->where->first_leaf : -1);
  }
  return leaves;
}

TEST(Scatter, GoesRoundFromTheNextWorker) {
  Simulator simulator(tree_of("numa:2 core:2 pu:1"), {.policy = &sched::kScatterPolicy});
  Shape shape(simulator, "{1 1 1 1 1 1}");
  simulator.distribute(shape.outermost, 2);
  EXPECT_EQ(leaves_of(shape.threads), (std::vector<int>{3, 0, 1, 2, 3, 0}));
}

// A team that a thread of an outermost one encounters, with and without scattering of two levels.
TEST(Scatter, LeavesNestedTeamsWithTheirThread) {
  for (double levels : {std::numeric_limits<double>::quiet_NaN(), 1.0, 2.0}) {
    Simulator simulator(tree_of("numa:2 core:2 pu:1"),
                        {.policy = &sched::kScatterPolicy, .parameter = levels});
    Shape outer(simulator, "{1}");
    simulator.distribute(outer.outermost, 0);
    ASSERT_TRUE(simulator.feed(1));
    Machine& machine = simulator.machine();
    tulle_entity* nested = machine.make_bubble(outer.outermost);
    std::vector<tulle_entity*> threads = {machine.make_thread(nested), machine.make_thread(nested)};
    simulator.distribute(nested, 1);
    if (levels == 2)
      EXPECT_EQ(leaves_of(threads), (std::vector<int>{2, 3}));
    else
      EXPECT_EQ(nested->where, simulator.leaf(1));
  }
}

TEST(Scatter, StealsFromTheNextWorkerThatHasSomething) {
  Simulator simulator(tree_of("numa:2 core:2 pu:1"), {.policy = &sched::kScatterPolicy});
  Shape shape(simulator, "{1 1}");
  Machine& machine = simulator.machine();
  machine.put(shape.outermost, simulator.leaf(0));
  machine.move(shape.threads[1], simulator.leaf(2));
  ASSERT_TRUE(sched::kScatterPolicy.idle(&machine, simulator.leaf(3)));
  EXPECT_EQ(shape.threads[0]->where, simulator.leaf(3)) << "the leaf after the last is the first";
  EXPECT_EQ(shape.threads[1]->where, simulator.leaf(2));
}

TEST(Shared, HasOneRunqueue) {
  Simulator simulator(tree_of(kPapersMachine), {.policy = &sched::kSharedPolicy});
  Shape first(simulator, "{1 1 1}"), second(simulator, "{1 1 1}");
  simulator.distribute(first.outermost, 3);
  simulator.distribute(second.outermost, 9);
  tulle_runqueue* root = simulator.machine().root_queue();
  EXPECT_EQ(first.outermost->where, root);
  EXPECT_EQ(second.outermost->where, root);
  ASSERT_TRUE(simulator.feed(14));
  EXPECT_EQ(first.threads[0]->where, simulator.leaf(14)) << "the oldest goes first, to anybody";
}

TEST(Random, DrawsItsVictims) {
  std::set<int> victims;
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    Simulator simulator(tree_of(kPapersMachine), {.policy = &sched::kRandomPolicy, .seed = seed});
    Machine& machine = simulator.machine();
    Shape shape(simulator, "{1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1}");
    machine.put(shape.outermost, simulator.leaf(0));
    for (std::uint32_t i = 1; i < 16; ++i) machine.move(shape.threads[i], simulator.leaf(i));
    machine.move(shape.threads[0], simulator.leaf(1));
    ASSERT_TRUE(sched::kRandomPolicy.idle(&machine, simulator.leaf(0)));
    for (std::uint32_t i = 1; i < 16; ++i)
      if (shape.threads[i]->where == simulator.leaf(0)) victims.insert(static_cast<int>(i));
    EXPECT_EQ(simulator.leaf(0)->waiting, 1u);
  }
  EXPECT_GE(victims.size(), 10u);
}

}  // namespace
}  // namespace tulle::simulator
