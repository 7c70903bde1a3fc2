// SPDX-License-Identifier: Apache-2.0
// The policy of tests/interop/policy_plugin.c, opened as the runtime opens one; and that the host calls
// each hook when the interface says so.
#include <dlfcn.h>

#include "simulated.h"

namespace tulle::simulator {
namespace {

const tulle_policy* plugin() {
  static void* object = dlopen(TULLE_POLICY_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) throw std::runtime_error(dlerror());
  auto entry = reinterpret_cast<decltype(&tulle_policy_entry)>(dlsym(object, "tulle_policy_entry"));
  if (entry == nullptr) throw std::runtime_error("no tulle_policy_entry");
  return entry();
}

TEST(Plugin, SaysWhatItIs) {
  EXPECT_EQ(plugin()->version, std::uint32_t{TULLE_POLICY_VERSION});
  EXPECT_STREQ(plugin()->name, "whole");
}

TEST(Plugin, KeepsTeamsWhole) {
  const topology::Tree& tree = tree_of(kPapersMachine);
  Simulator simulator(tree, {.policy = plugin()});
  std::vector<std::unique_ptr<Shape>> teams;
  for (std::uint32_t i = 0; i < 8; ++i) {
    teams.push_back(std::make_unique<Shape>(simulator, "{1 1}"));
    simulator.distribute(teams.back()->outermost, 2 * i);
  }
  std::set<const tulle_runqueue*> nodes;
  for (const auto& team : teams) nodes.insert(team->outermost->where);
  EXPECT_EQ(nodes.size(), 8u);
  const Result& result = simulator.run();
  EXPECT_EQ(result.runs.size(), 16u);
  EXPECT_EQ(result.makespan, 1);
  EXPECT_EQ(result.remote, 0u);
}

TEST(Plugin, ServesEverything) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Script program = random_program(random);
    Simulator simulator(tree_of(kPapersMachine), {.policy = plugin(), .seed = seed, .tick = 0.5});
    simulator.start(program);
    const Result& result = simulator.run();
    EXPECT_EQ(result.runs.size(), 1 + threads_made(program));
    EXPECT_EQ(result.starved, 0u);
  }
}

// A policy that does nothing but count.
struct Calls {
  int distributed = 0, idle = 0, met = 0, ticks = 0, threads_ended = 0, bubbles_ended = 0;
} calls;

constexpr tulle_policy kCounting = {
    TULLE_POLICY_VERSION, "counting",
    [](tulle_host*, tulle_entity*, tulle_runqueue*) { ++calls.distributed; },
    [](tulle_host*, tulle_runqueue*) { return ++calls.idle, 0; },
    [](tulle_host*, tulle_entity*, tulle_runqueue*) { ++calls.met; },
    [](tulle_host*, tulle_entity*) { ++calls.ticks; },
    [](tulle_host* host, tulle_entity* entity) {
      ++(host->is_bubble(host, entity) ? calls.bubbles_ended : calls.threads_ended);
    }, nullptr};

TEST(Hooks, OfTheFirstVersionAreTaken) {
  static constexpr tulle_policy kFirst = {1, "first", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kFirst});
  Shape shape(simulator, "{1 1}");
  simulator.distribute(shape.outermost, 0);
  EXPECT_GT(simulator.run().makespan, 0);
}

TEST(Hooks, AreCalledWhenTheInterfaceSays) {
  calls = {};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kCounting, .tick = 1});
  Script program{1, {{0, {{1, {{10, {}}}}, {1, {{3, {}}}}, {1, {{3, {}}}}}}}};
  simulator.start(program);
  const Result& result = simulator.run();
  EXPECT_EQ(result.makespan, 16) << "nobody steals: 10, then 3 and 3 on the same worker";
  EXPECT_EQ(calls.distributed, 1);
  EXPECT_GT(calls.idle, 0);
  EXPECT_GT(result.starved, 0u);
  EXPECT_EQ(calls.met, 0) << "the thread that waits for its team takes its parts by itself";
  EXPECT_EQ(calls.ticks, 12) << "1 to 12, while a part waited";
  EXPECT_EQ(calls.threads_ended, 3);
  EXPECT_EQ(calls.bubbles_ended, 1);
}

TEST(Hooks, ATeamThatIsPushedAwayOpensThere) {
  static constexpr tulle_policy kPushing = {
      TULLE_POLICY_VERSION, "pushing", nullptr, nullptr,
      [](tulle_host* host, tulle_entity* bubble, tulle_runqueue* leaf) {
        tulle_runqueue* root = host->root(host);
        tulle_runqueue* first = host->child(host, root, 0);
        host->move(host, bubble, leaf == first ? host->child(host, root, 1) : first);
      },
      nullptr, nullptr, nullptr};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kPushing});
  Shape shape(simulator, "{1 1 1}");
  simulator.distribute(shape.outermost, 0);
  const Result& result = simulator.run();
  EXPECT_EQ(result.runs.size(), 3u);
  EXPECT_EQ(result.makespan, 3) << "on the other worker, which finds each for itself";
}

TEST(Hooks, MoveNothingToNowhere) {
  static constexpr tulle_policy kMovingNothing = {
      TULLE_POLICY_VERSION, "moving nothing",
      [](tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
        host->move(host, bubble, host->parent(host, host->root(host)));
        host->move(host, nullptr, from);
        host->explode(host, nullptr);
      },
      nullptr, nullptr, nullptr, nullptr, nullptr};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kMovingNothing});
  Shape shape(simulator, "{1 1}");
  simulator.distribute(shape.outermost, 0);
  EXPECT_EQ(simulator.run().runs.size(), 2u);
}

TEST(Hooks, AFalseReportOfWorkIsFound) {
  static constexpr tulle_policy kLying = {
      TULLE_POLICY_VERSION, "lying", nullptr,
      [](tulle_host*, tulle_runqueue*) { return 1; }, nullptr, nullptr, nullptr, nullptr};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kLying});
  Shape shape(simulator, "{1 1 1}");
  simulator.distribute(shape.outermost, 0);
  EXPECT_THROW(simulator.run(), BadPolicy);
}

TEST(Hooks, AskForWhatIsNotThere) {
  static constexpr tulle_policy kAsking = {
      TULLE_POLICY_VERSION, "asking",
      [](tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
        EXPECT_EQ(host->child(host, host->root(host), 2), nullptr);
        EXPECT_EQ(host->child(host, from, 0), nullptr);
        EXPECT_EQ(host->next_part(host, bubble), nullptr);
        EXPECT_EQ(host->random(host, 0), 0u);
      },
      nullptr, nullptr, nullptr, nullptr, nullptr};
  Simulator simulator(tree_of("core:2 pu:1"), {.policy = &kAsking});
  Shape shape(simulator, "{1 1}");
  simulator.distribute(shape.outermost, 0);
  EXPECT_EQ(simulator.run().runs.size(), 2u);
}

}  // namespace
}  // namespace tulle::simulator
