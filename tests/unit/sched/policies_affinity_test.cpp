// SPDX-License-Identifier: Apache-2.0
// Affinity on the machine of Figure 1 of Broquedis et al., step by step, and what section 3.2 says of
// stealing. The figure's drawing is not in the text that we have. From the prose: a machine n0 with two
// lists of level n1 and four processors p0 to p3; a bubble that contains 7 threads recursively, directly
// one thread and two bubbles, the first of which contains two bubbles. If each of those has at least
// two threads, the 7 are 1 + (2 + 2) + 2, which is what stands here.
#include "simulated.h"

namespace tulle::simulator {
namespace {

class AffinityFigure1 : public ::testing::Test {
 protected:
  const topology::Tree& tree = tree_of("numa:2 core:2 pu:1");
  Simulator simulator{tree, {.policy = &sched::kAffinityPolicy}};
  Shape shape{simulator, "{{{4 4} {4 4}} {4 4} 1}"};
  tulle_entity* mother = shape.bubbles[0];
  tulle_entity* first = shape.bubbles[1];
  tulle_entity* first_of_first = shape.bubbles[2];
  tulle_entity* second_of_first = shape.bubbles[3];
  tulle_entity* second = shape.bubbles[4];
  tulle_entity* thread = shape.threads[6];
  tulle_runqueue* n0 = simulator.machine().root_queue();
  tulle_runqueue* n1[2] = {n0->children[0], n0->children[1]};
  tulle_runqueue* p[4] = {simulator.leaf(0), simulator.leaf(1), simulator.leaf(2),
                          simulator.leaf(3)};

  void distribute() {
    simulator.machine().record_actions = true;
    simulator.distribute(mother, 0);
  }
};

TEST_F(AffinityFigure1, StepByStep) {
  distribute();
  const std::vector<Action>& did = simulator.machine().actions;
  std::vector<Action> expected = {
      // (a) The algorithm is called on n0, where the bubble lies.
      {Action::moved, mother, n0},
      // One bubble cannot feed four processors: its content is extracted onto n0.
      {Action::exploded, mother, n0},
      // (b) The first bubble can occupy p0 and p1 by itself, so it goes to n1 as it is, and the
      // rest is distributed greedily.
      {Action::moved, first, n1[0]},
      {Action::moved, second, n1[1]},
      {Action::moved, thread, n1[1]},
      // (c) The only bubble that explodes does so at level n1.
      {Action::exploded, first, n1[0]},
      {Action::moved, first_of_first, p[0]},
      {Action::moved, second_of_first, p[1]},
      {Action::moved, second, p[2]},
      {Action::moved, thread, p[3]},
  };
  EXPECT_EQ(did, expected);
}

// (d) is a steal. The thread on p3 ends first; the nearest that waits is what is left on p2.
TEST_F(AffinityFigure1, ThenStealsNearby) {
  distribute();
  const Result& result = simulator.run();
  EXPECT_EQ(result.starved, 0u);
  std::map<const tulle_entity*, ThreadRun> by_thread;
  for (const ThreadRun& run : result.runs) by_thread[run.thread] = run;
  ASSERT_EQ(by_thread.size(), 7u);
  const ThreadRun& stolen = by_thread[shape.threads[5]];
  EXPECT_EQ(stolen.worker, 3u);
  EXPECT_EQ(stolen.begin, 1);
  EXPECT_EQ(by_thread[thread].worker, 3u);
  EXPECT_EQ(by_thread[shape.threads[4]].worker, 2u);
  for (int i : {0, 1, 2, 3}) EXPECT_EQ(by_thread[shape.threads[i]].worker, i < 2 ? 0u : 1u);
  EXPECT_EQ(result.makespan, 8);
}

class AffinitySteals : public ::testing::Test {
 protected:
  const topology::Tree& tree = tree_of("numa:2 core:2 pu:1");
  Simulator simulator{tree, {.policy = &sched::kAffinityPolicy}};
  Machine& machine = simulator.machine();

  // Parts of `shape` on a leaf, each for itself.
  void put_parts(Shape& shape, std::uint32_t leaf) {
    machine.put(shape.outermost, simulator.leaf(leaf));
    machine.explode(shape.outermost);
  }
  bool idle(std::uint32_t leaf) {
    return sched::kAffinityPolicy.idle(&machine, simulator.leaf(leaf)) != 0;
  }
};

TEST_F(AffinitySteals, WithNothingThereFindsNothing) { EXPECT_FALSE(idle(0)); }

TEST_F(AffinitySteals, GoesOutwardsStepByStep) {
  Shape far(simulator, "{{1 1 1 1}}");
  Shape near(simulator, "{1}");
  put_parts(far, 2);
  put_parts(near, 1);
  ASSERT_TRUE(idle(0));
  EXPECT_EQ(near.threads[0]->where, simulator.leaf(0));
  EXPECT_EQ(far.bubbles[1]->where, simulator.leaf(2));
}

TEST_F(AffinitySteals, TakesTheEntityWithTheMostThreadsWhole) {
  Shape shape(simulator, "{9 {1 1} {1 {1 1}} {1}}");
  put_parts(shape, 1);
  ASSERT_TRUE(idle(0));
  EXPECT_EQ(shape.bubbles[2]->where, simulator.leaf(0));
  EXPECT_EQ(simulator::shape(*shape.bubbles[2]), "{1 {1 1}}");
  EXPECT_EQ(shape.bubbles[1]->where, simulator.leaf(1));
}

TEST_F(AffinitySteals, OfABubbleThatIsAloneTakesASubtree) {
  Shape shape(simulator, "{{1 {1 1 1} 1 1}}");
  machine.put(shape.outermost, simulator.leaf(1));
  ASSERT_TRUE(idle(0));
  EXPECT_EQ(shape.bubbles[2]->where, simulator.leaf(0));
  EXPECT_EQ(simulator::shape(*shape.bubbles[2]), "{1 1 1}");
  EXPECT_EQ(shape.outermost->where, simulator.leaf(1));
  EXPECT_EQ(simulator::shape(*shape.outermost), "{{1 1 1}}") << "the rest, still closed";
  EXPECT_EQ(shape.outermost->threads, 3u);
}

TEST(Affinity, DelaysExplosionWhereBubblesFeedTheirNodes) {
  const topology::Tree& tree = tree_of(kPapersMachine);
  Simulator simulator(tree, {.policy = &sched::kAffinityPolicy});
  Shape shape(simulator, "{{1 1}{1 1}{1 1}{1 1}{1 1}{1 1}}");
  simulator.machine().record_actions = true;
  simulator.distribute(shape.outermost, 0);
  for (const Action& action : simulator.machine().actions) {
    if (action.kind == Action::exploded && action.entity != shape.outermost) {
      EXPECT_EQ(action.queue->level, TULLE_LEVEL_NUMA);
    }
  }
  const Result& result = simulator.run();
  EXPECT_EQ(result.makespan, 1) << "12 threads, 16 processors";
  EXPECT_EQ(result.remote, 0u);
}

int explosions_at(const Machine& machine, tulle_level level) {
  return static_cast<int>(std::ranges::count_if(machine.actions, [&](const Action& action) {
    return action.kind == Action::exploded && action.queue->level == level;
  }));
}

// Its four threads could keep all four workers busy, but two of them are its node's, and the other
// node has got something: it stays whole, though a worker gets nothing at first.
TEST(Affinity, ABubbleThatSufficesForItsNodeStaysWhole) {
  Simulator simulator(tree_of("numa:2 core:2 pu:1"), {.policy = &sched::kAffinityPolicy});
  Shape shape(simulator, "{{{1 1} {1 1}} 1}");
  simulator.machine().record_actions = true;
  simulator.distribute(shape.outermost, 0);
  EXPECT_EQ(explosions_at(simulator.machine(), TULLE_LEVEL_MACHINE), 1) << "the outermost alone";
  EXPECT_EQ(simulator.leaf(3)->load, 0);
  EXPECT_EQ(simulator.run().starved, 0u);
}

// Two of three fill most of the nodes; the third fits into neither, and is divided between them.
TEST(Affinity, ABubbleThatFitsNowhereIsDivided) {
  Simulator simulator(tree_of("numa:2 core:4 pu:1"), {.policy = &sched::kAffinityPolicy});
  Shape shape(simulator, "{{1 1 1} {1 1 1} {1 1}}");
  simulator.machine().record_actions = true;
  simulator.distribute(shape.outermost, 0);
  EXPECT_EQ(explosions_at(simulator.machine(), TULLE_LEVEL_MACHINE), 2);
  for (const tulle_runqueue* leaf : simulator.machine().leaves()) EXPECT_EQ(leaf->load, 1);
}

// Threads of one team, which may open teams of their own, get a node each; of two teams, those of
// one stay together.
TEST(Affinity, GroupsTheThreadsOfTeamsThatAreDivided) {
  Simulator one(tree_of(kPapersMachine), {.policy = &sched::kAffinityPolicy});
  Shape team(one, "{1 1 1 1 1 1 1 1}");
  one.distribute(team.outermost, 0);
  for (const tulle_runqueue* node : one.machine().root_queue()->children) EXPECT_EQ(node->load, 1);

  Simulator two(tree_of(kPapersMachine), {.policy = &sched::kAffinityPolicy});
  Shape teams(two, "{{1 1 1 1} {1 1 1 1}}");
  two.distribute(teams.outermost, 0);
  for (const tulle_entity* bubble : {teams.bubbles[1], teams.bubbles[2]}) {
    std::set<const tulle_runqueue*> nodes;
    for (const tulle_entity* thread : teams.threads_in[bubble]) nodes.insert(thread->where->parent);
    EXPECT_EQ(nodes.size(), 2u);
  }
}

// Threads of one bubble, wherever they ran.
std::size_t nodes_of(Simulator& simulator, const Result& result, const tulle_entity* bubble) {
  std::set<int> nodes;
  for (const ThreadRun& run : result.runs)
    if (run.thread->bubble == bubble) nodes.insert(simulator.leaf(run.worker)->numa);
  return nodes.size();
}

TEST(Affinity, KeepsSiblingsWithinANodeWhereTheyFit) {
  for (const char* description : {kPapersMachine, "numa:4 core:6 pu:1", "numa:2 core:64 pu:2"}) {
    const topology::Tree& tree = tree_of(description);
    std::size_t nodes = tree.all(topology::Kind::numa).size();
    std::uint32_t size = static_cast<std::uint32_t>(tree.cpu_count()) / nodes;
    for (std::uint32_t members = 2; members <= size; members += 1 + members / 4) {
      // A bubble for each node.
      Simulator bubbles(tree, {.policy = &sched::kAffinityPolicy});
      std::string text = "{";
      for (std::size_t i = 0; i < nodes; ++i) {
        text += '{';
        for (std::uint32_t m = 0; m < members; ++m) text += "1 ";
        text += '}';
      }
      Shape shape(bubbles, (text + "}").c_str());
      bubbles.distribute(shape.outermost, 0);
      const Result& result = bubbles.run();
      EXPECT_EQ(result.makespan, 1);
      for (std::size_t i = 1; i < shape.bubbles.size(); ++i)
        EXPECT_EQ(nodes_of(bubbles, result, shape.bubbles[i]), 1u) << description << ' ' << members;

      // A team that is alone stays around its encountering thread.
      Script program{1, {{0, std::vector<Script>(members, Script{1, {{1, {}}}})}}};
      for (std::uint32_t worker : {0u, size, static_cast<std::uint32_t>(tree.cpu_count()) - 1}) {
        Simulator team(tree, {.policy = &sched::kAffinityPolicy});
        team.start(program, worker);
        const Result& alone = team.run();
        EXPECT_EQ(alone.remote, 0u) << description << ' ' << members;
        EXPECT_EQ(alone.makespan, 1);
      }
    }
  }
}

// Two threads that fit on one core's hardware threads get a core each.
TEST(Affinity, DoesNotTakeACoreForANode) {
  const topology::Tree& tree = tree_of("package:2 core:64 pu:2");
  Script program{1, {{0, std::vector<Script>(2, Script{1, {{1, {}}}})}}};
  Simulator simulator(tree, {.policy = &sched::kAffinityPolicy});
  simulator.start(program, 0);
  const Result& result = simulator.run();
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_GE(result.runs[1].worker, 2u);
  EXPECT_LT(result.runs[1].worker, 128u);
}

TEST(Affinity, LeavesATeamOfABusyMachineWithItsThread) {
  const topology::Tree& tree = tree_of(kPapersMachine);
  Script inner{1, {{1, {}}}};
  Script outer{1, {{1, std::vector<Script>(4, inner)}}};
  Script program{1, {{0, std::vector<Script>(16, outer)}}};
  Simulator simulator(tree, {.policy = &sched::kAffinityPolicy, .remote = 1.4});
  simulator.start(program);
  const Result& result = simulator.run();
  EXPECT_EQ(result.runs.size(), 64u);
  std::uint64_t remote = 0;
  for (const ThreadRun& run : result.runs)
    if (run.thread->bubble != nullptr && run.thread->bubble->bubble != nullptr)
      remote += run.remote ? 1 : 0;
  EXPECT_EQ(remote, 0u);
}

}  // namespace
}  // namespace tulle::simulator
