// SPDX-License-Identifier: Apache-2.0
// Affinity against the random victim that Broquedis et al. compare it with, in virtual time: a test of
// direction. Work on another node's data takes up to 1.4 times as long, as on the papers' machine.
#include "simulated.h"

namespace tulle::simulator {
namespace {

struct Sums {
  double makespan = 0;  // in units of work / processors
  double remote = 0;    // share of the threads
  int runs = 0;

  void add(const Result& result, double work, int cpus) {
    EXPECT_EQ(result.starved, 0u);
    makespan += result.makespan / (work / cpus);
    remote += static_cast<double>(result.remote) / static_cast<double>(result.runs.size());
    ++runs;
  }
  void record(const char* name) const {
    std::printf("%-10s makespan %.2f of the ideal, %2.0f %% of the threads on another node\n", name,
                makespan / runs, 100 * remote / runs);
  }
};

constexpr int kRuns = 20;

// Four to a section and sections in sections, all known at the beginning.
std::string tree_of_sections(std::mt19937& random, int depth) {
  std::string text = "{";
  for (int i = 0; i < 4; ++i) {
    if (depth < 4 && random() % 100 < 45)
      text += tree_of_sections(random, depth + 1);
    else
      text += std::to_string(1 + random() % 4) + ' ';
  }
  return text + "}";
}

Sums sections(const tulle_policy* policy) {
  const topology::Tree& tree = tree_of(kPapersMachine);
  Sums sums;
  for (unsigned seed = 1; sums.runs < kRuns; ++seed) {
    std::mt19937 random(seed);
    std::string text = tree_of_sections(random, 0);
    Simulator simulator(tree, {.policy = policy, .seed = seed, .remote = 1.4});
    Shape shape(simulator, text.c_str());
    if (shape.threads.size() < 60) continue;
    simulator.distribute(shape.outermost, 0);
    sums.add(simulator.run(), shape.load[shape.outermost], tree.cpu_count());
  }
  return sums;
}

TEST(Makespan, OfBubblesThatAreKnown) {
  Sums by[std::size(sched::kPolicies)];
  for (std::size_t i = 0; i < std::size(by); ++i) {
    by[i] = sections(sched::kPolicies[i]);
    by[i].record(sched::kPolicies[i]->name);
  }
  const Sums &spread = by[0], &affinity = by[1], &random = by[4];
  EXPECT_LT(affinity.makespan, 0.95 * random.makespan);
  EXPECT_LT(spread.makespan, 0.95 * random.makespan);
  EXPECT_LT(affinity.remote, random.remote / 3);
}

// An octree in the manner of MPU (section 4.1): where the surface is not met well enough, a cube is
// divided in eight by a team of four. Nobody knows beforehand what a thread will open.
Script cube(std::mt19937& random, int depth) {
  Script script{1, {{1.0 + static_cast<double>(random() % 4), {}}}};
  if (depth == 0 || (depth < 7 && random() % 100 < 36)) {
    Step& step = script.steps[0];
    for (int member = 0; member < 4; ++member) {
      Script both{1, {}};
      for (int half = 0; half < 2; ++half)
        for (Step& inner : cube(random, depth + 1).steps) both.steps.push_back(inner);
      step.team.push_back(std::move(both));
    }
  }
  return script;
}

Sums octrees(const tulle_policy* policy) {
  const topology::Tree& tree = tree_of("numa:4 core:8 pu:1");
  Sums sums;
  for (unsigned seed = 1; sums.runs < kRuns; ++seed) {
    std::mt19937 random(seed);
    Script program = cube(random, 0);
    if (threads_made(program) < 300) continue;
    Simulator simulator(tree, {.policy = policy, .seed = seed, .remote = 1.4});
    simulator.start(program);
    sums.add(simulator.run(), work_of(program), tree.cpu_count());
  }
  return sums;
}

TEST(Makespan, OfAnOctreeThatUnfolds) {
  Sums by[std::size(sched::kPolicies)];
  for (std::size_t i = 0; i < std::size(by); ++i) {
    by[i] = octrees(sched::kPolicies[i]);
    by[i].record(sched::kPolicies[i]->name);
  }
  const Sums &affinity = by[1], &random = by[4];
  EXPECT_LT(affinity.makespan, random.makespan);
  EXPECT_LT(affinity.remote, 0.7 * random.remote);
}

}  // namespace
}  // namespace tulle::simulator
