// SPDX-License-Identifier: Apache-2.0
// What holds of every policy, on machines of 4 to 1,024 processors: each thread runs once, no worker
// idles while a thread waits, a seed decides everything.
#include <ctime>
#include <fstream>

#include "simulated.h"
#include "temporary_folder.h"

namespace tulle::simulator {
namespace {

class EachPolicy : public ::testing::TestWithParam<const tulle_policy*> {};

INSTANTIATE_TEST_SUITE_P(Policies, EachPolicy, ::testing::ValuesIn(sched::kPolicies),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Policies, AreFoundByName) {
  for (const tulle_policy* policy : sched::kPolicies) {
    EXPECT_EQ(sched::policy_by_name(policy->name), policy);
    EXPECT_NE(std::string(sched::kPolicyNames).find(policy->name), std::string::npos);
  }
  EXPECT_EQ(sched::policy_by_name("default"), nullptr);
  EXPECT_EQ(sched::policy_by_name(""), nullptr);
}

constexpr const char* kMachines[] = {kPapersMachine, "package:2 core:64 pu:2",
                                     "numa:2 core:2 pu:1", "core:7 pu:1"};

// Threads of a closed bubble: nothing has to wait for anything but a worker.
TEST_P(EachPolicy, ServesBubblesGreedily) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    std::string text = random_shape(random);
    for (const char* machine : kMachines) {
      const topology::Tree& tree = tree_of(machine);
      Simulator simulator(tree, {.policy = GetParam(), .seed = seed});
      Shape shape(simulator, text.c_str());
      simulator.distribute(shape.outermost, seed % tree.cpu_count());
      const Result& result = simulator.run();
      std::set<const tulle_entity*> ran;
      double longest = 0;
      for (const ThreadRun& run : result.runs) {
        ran.insert(run.thread);
        EXPECT_EQ(run.end - run.begin, shape.load[run.thread]);
        longest = std::max(longest, shape.load[run.thread]);
      }
      double total = shape.load[shape.outermost];
      EXPECT_EQ(result.runs.size(), shape.threads.size()) << machine << ' ' << text;
      EXPECT_EQ(ran.size(), shape.threads.size());
      EXPECT_EQ(result.starved, 0u) << machine << ' ' << text;
      EXPECT_EQ(result.busy, total);
      EXPECT_LE(result.makespan, total / tree.cpu_count() + longest) << "Graham's bound";
    }
  }
}

TEST_P(EachPolicy, ServesNestedTeams) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    Script program = random_program(random);
    for (const char* machine : kMachines) {
      const topology::Tree& tree = tree_of(machine);
      Simulator simulator(tree, {.policy = GetParam(), .seed = seed});
      simulator.start(program, seed % tree.cpu_count());
      const Result& result = simulator.run();
      EXPECT_EQ(result.runs.size(), 1 + threads_made(program)) << machine << " seed " << seed;
      EXPECT_EQ(result.starved, 0u) << machine << " seed " << seed;
      EXPECT_EQ(result.busy, work_of(program));
      EXPECT_GE(result.makespan, longest_path(program));
    }
  }
}

TEST_P(EachPolicy, IsDeterministicForASeed) {
  std::mt19937 random(7);
  Script program = random_program(random);
  const topology::Tree& tree = tree_of(kPapersMachine);
  std::vector<ThreadRun> first;
  for (int turn = 0; turn < 2; ++turn) {
    Simulator simulator(tree, {.policy = GetParam(), .seed = 3, .remote = 1.4});
    simulator.start(program);
    const Result& result = simulator.run();
    if (turn == 0) {
      first = result.runs;
      continue;
    }
    ASSERT_EQ(result.runs.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(result.runs[i].worker, first[i].worker);
      EXPECT_EQ(result.runs[i].begin, first[i].begin);
      EXPECT_EQ(result.runs[i].end, first[i].end);
    }
  }
}

// Nodes of three and of five cores, read from XML.
TEST_P(EachPolicy, RunsOnAnUnevenMachineFromXml) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/uneven.xml";
  auto object = [](const char* type, int index, unsigned cpus, unsigned nodes, int serial) {
    char text[400];
    std::snprintf(text, sizeof text,
                  "<object type=\"%s\" os_index=\"%d\" cpuset=\"0x%08x\" complete_cpuset=\"0x%08x\" "
                  "nodeset=\"0x%08x\" complete_nodeset=\"0x%08x\" gp_index=\"%d\"",
                  type, index, cpus, cpus, nodes, nodes, serial);
    return std::string(text);
  };
  std::ofstream file(path);
  file << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n"
       << object("Machine", 0, 0xff, 3, 1) << " allowed_cpuset=\"0xff\" allowed_nodeset=\"0x3\">\n";
  int serial = 2;
  for (int node : {0, 1}) {
    unsigned cpus = node == 0 ? 0x07 : 0xf8, own = 1u << node;
    file << object("Package", node, cpus, own, serial++) << ">\n";
    file << object("NUMANode", node, cpus, own, serial++) << " local_memory=\"1024\"/>\n";
    for (int cpu = node == 0 ? 0 : 3; cpu < (node == 0 ? 3 : 8); ++cpu)
      file << object("PU", cpu, 1u << cpu, own, serial++) << "/>\n";
    file << "</object>\n";
  }
  file << "</object>\n</topology>\n";
  file.close();
  topology::TreePtr tree = topology::from_xml(path.c_str());
  ASSERT_NE(tree, nullptr);
  ASSERT_EQ(tree->cpu_count(), 8);

  Simulator simulator(*tree, {.policy = GetParam()});
  ASSERT_EQ(simulator.machine().root_queue()->children.size(), 2u);
  EXPECT_EQ(simulator.machine().root_queue()->children[0]->level, TULLE_LEVEL_NUMA)
      << "the package is all that the node has";
  Shape shape(simulator, "{{1 1 1} {1 1 1 1 1}}");
  simulator.distribute(shape.outermost, 0);
  const Result& result = simulator.run();
  EXPECT_EQ(result.runs.size(), 8u);
  EXPECT_EQ(result.makespan, 1);
  EXPECT_EQ(result.starved, 0u);
}

// What an affinity mask leaves: no CPU 0, and cores with one hardware thread or two.
TEST_P(EachPolicy, RunsOnPartOfAMachine) {
  CpuSet some;
  for (int cpu = 1; cpu < 256; cpu += cpu % 5 == 0 ? 3 : 1) some.add(cpu);
  topology::TreePtr part = topology::restricted(tree_of("package:2 core:64 pu:2"), some);
  ASSERT_NE(part, nullptr);
  ASSERT_EQ(part->cpu_count(), some.count());
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::mt19937 random(seed);
    Script program = random_program(random);
    Simulator simulator(*part, {.policy = GetParam(), .seed = seed});
    simulator.start(program, seed);
    const Result& result = simulator.run();
    EXPECT_EQ(result.runs.size(), 1 + threads_made(program));
    EXPECT_EQ(result.starved, 0u);
  }
}

// 4,096 threads in 64 teams, made at once, and 32 x 32 threads that encounter their regions.
TEST_P(EachPolicy, Places1024CoresInASecond) {
  const topology::Tree& tree = tree_of("numa:16 core:64 pu:1");
  ASSERT_EQ(tree.cpu_count(), 1024);
  std::clock_t before = std::clock();
  {
    Simulator simulator(tree, {.policy = GetParam()});
    std::string text = "{";
    for (int team = 0; team < 64; ++team) {
      text += '{';
      for (int thread = 0; thread < 64; ++thread) text += "1 ";
      text += '}';
    }
    Shape shape(simulator, (text + "}").c_str());
    simulator.distribute(shape.outermost, 0);
    const Result& result = simulator.run();
    EXPECT_EQ(result.runs.size(), 4096u);
    EXPECT_EQ(result.makespan, 4);
  }
  {
    Script inner{1, {{1, {}}}};
    Script outer{1, {{1, std::vector<Script>(32, inner)}}};
    Script program{1, {{0, std::vector<Script>(32, outer)}}};
    Simulator simulator(tree, {.policy = GetParam()});
    simulator.start(program);
    const Result& result = simulator.run();
    EXPECT_EQ(result.runs.size(), 1024u);
    EXPECT_EQ(result.makespan, 2);
    EXPECT_EQ(result.starved, 0u);
  }
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 1.0);
#else
  (void)before;
#endif
}

}  // namespace
}  // namespace tulle::simulator
