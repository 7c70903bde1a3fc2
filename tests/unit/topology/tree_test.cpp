// SPDX-License-Identifier: Apache-2.0
// Trees of machines that are not this one, through hwloc's synthetic descriptions and by hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "os/cpus.h"
#include "sound.h"
#include "temporary_folder.h"
#include "topology/builder.h"
#include "topology/topology.h"

namespace tulle::topology {
namespace {

TreePtr synthetic(const char* description) {
  TreePtr tree = from_synthetic(description);
  EXPECT_NE(tree, nullptr) << description;
  if (tree != nullptr) expect_sound(*tree);
  return tree;
}

TEST(Synthetic, EightNumaNodesOfTwoCores) {
  TreePtr tree = synthetic("numa:8 core:2 pu:1");
  EXPECT_EQ(count(*tree, Kind::numa), 8);
  EXPECT_EQ(count(*tree, Kind::core), 16);
  EXPECT_EQ(tree->cpu_count(), 16);
  EXPECT_EQ(count(*tree, Kind::package), 0);
  EXPECT_STREQ(tree->source(), "synthetic");
  int third = tree->all(Kind::numa)[2];
  EXPECT_EQ((*tree)[third].first_leaf, 4);
  EXPECT_EQ((*tree)[third].leaves, 2);
  EXPECT_EQ((*tree)[third].os_index, 2);
}

TEST(Synthetic, TwoPackagesOf64CoresWithTwoThreads) {
  TreePtr tree = synthetic("pack:2 core:64 pu:2");
  EXPECT_EQ(count(*tree, Kind::package), 2);
  EXPECT_EQ(count(*tree, Kind::core), 128);
  EXPECT_EQ(tree->cpu_count(), 256);
  int core = tree->all(Kind::core)[64];
  EXPECT_EQ(tree->ancestor(core, Kind::package), tree->all(Kind::package)[1]);
}

TEST(Synthetic, ThousandCores) {
  TreePtr tree = synthetic("pack:4 numa:4 l3:4 core:16 pu:1");
  EXPECT_EQ(tree->cpu_count(), 1024);
  EXPECT_EQ(count(*tree, Kind::core), 1024);
  EXPECT_EQ(count(*tree, Kind::last_cache), 64);
  EXPECT_EQ(count(*tree, Kind::numa), 16);
  int leaf = tree->leaf(1023);
  EXPECT_EQ((*tree)[tree->ancestor(leaf, Kind::last_cache)].number, 63);
  EXPECT_LT((*tree)[tree->ancestor(leaf, Kind::package)].depth,
            (*tree)[tree->ancestor(leaf, Kind::numa)].depth);
}

TEST(Synthetic, CachesThatNobodySharesAreLeftOut) {
  TreePtr tree = synthetic("pack:2 l3:2 l2:4 l1:1 core:1 pu:2");
  EXPECT_EQ(count(*tree, Kind::last_cache), 4);
  EXPECT_EQ(count(*tree, Kind::cache), 0);
  EXPECT_EQ((*tree)[tree->all(Kind::last_cache)[0]].cache_level, 3);
}

TEST(Synthetic, SharedInnerCachesStay) {
  TreePtr tree = synthetic("l3:2 l2:2 core:2 pu:1");
  EXPECT_EQ(count(*tree, Kind::last_cache), 2);
  EXPECT_EQ(count(*tree, Kind::cache), 4);
  EXPECT_EQ((*tree)[tree->all(Kind::cache)[0]].cache_level, 2);
}

TEST(Synthetic, PrivateOutermostCacheIsTheLastCache) {
  TreePtr tree = synthetic("l2:4 core:1 pu:1");
  EXPECT_EQ(count(*tree, Kind::last_cache), 4);
  EXPECT_EQ(count(*tree, Kind::cache), 0);
}

TEST(Synthetic, InterleavedProcessorNumbers) {
  TreePtr tree = synthetic("numa:2 core:2 pu:2(indexes=numa:core)");
  CpuSet eight;
  for (int cpu = 0; cpu < 8; ++cpu) eight.add(cpu);
  EXPECT_EQ(tree->cpus(Tree::kRoot), eight);
  CpuSet first = tree->cpus(tree->all(Kind::numa)[0]);
  EXPECT_TRUE(first.contains(0));
  EXPECT_FALSE(first.contains(1));
}

TEST(Synthetic, NonsenseIsRefused) {
  EXPECT_EQ(from_synthetic("numa:0"), nullptr);
  EXPECT_EQ(from_synthetic("fruit"), nullptr);
  EXPECT_EQ(from_xml("/nowhere/machine.xml"), nullptr);
}

TEST(Xml, DistancesBetweenNumaNodes) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/machine.xml";
  std::ofstream(path) << R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0x0000000f" complete_cpuset="0x0000000f"
   allowed_cpuset="0x0000000f" nodeset="0x00000003" complete_nodeset="0x00000003"
   allowed_nodeset="0x00000003" gp_index="1">
  <object type="Package" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003"
    nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2">
   <object type="NUMANode" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="3" local_memory="1024"/>
   <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="4"/>
   <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="5"/>
  </object>
  <object type="Package" os_index="1" cpuset="0x0000000c" complete_cpuset="0x0000000c"
    nodeset="0x00000002" complete_nodeset="0x00000002" gp_index="6">
   <object type="NUMANode" os_index="1" cpuset="0x0000000c" complete_cpuset="0x0000000c"
     nodeset="0x00000002" complete_nodeset="0x00000002" gp_index="7" local_memory="1024"/>
   <object type="PU" os_index="2" cpuset="0x00000004" complete_cpuset="0x00000004"
     nodeset="0x00000002" complete_nodeset="0x00000002" gp_index="8"/>
   <object type="PU" os_index="3" cpuset="0x00000008" complete_cpuset="0x00000008"
     nodeset="0x00000002" complete_nodeset="0x00000002" gp_index="9"/>
  </object>
 </object>
 <distances2 type="NUMANode" nbobjs="2" kind="5" indexing="os">
  <indexes length="4">0 1 </indexes>
  <u64values length="12">10 31 32 10 </u64values>
 </distances2>
</topology>
)";
  TreePtr tree = from_xml(path.c_str());
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  EXPECT_EQ(count(*tree, Kind::package), 2);
  EXPECT_EQ(count(*tree, Kind::core), 4) << "a core is made for each processor without one";
  EXPECT_EQ(tree->numa_distance(0, 0), 10);
  EXPECT_EQ(tree->numa_distance(0, 1), 31);
  EXPECT_EQ(tree->numa_distance(1, 0), 32);
  CpuSet second;
  second.add(2);
  TreePtr part = restricted(*tree, second);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->numa_distance(0, 0), 10);
  EXPECT_EQ((*part)[part->all(Kind::numa)[0]].os_index, 1);
}

TEST(Restricted, KeepsTheShapeOfWhatIsLeft) {
  TreePtr tree = synthetic("numa:4 core:4 pu:2");
  CpuSet some;
  for (int cpu : {0, 1, 2, 9, 31}) some.add(cpu);
  TreePtr part = restricted(*tree, some);
  ASSERT_NE(part, nullptr);
  expect_sound(*part);
  EXPECT_EQ(part->cpu_count(), 5);
  EXPECT_EQ(count(*part, Kind::numa), 3);
  EXPECT_EQ(count(*part, Kind::core), 4);
  EXPECT_EQ(part->cpus(Tree::kRoot), some);
  EXPECT_EQ((*part)[part->all(Kind::numa)[2]].os_index, 3);
  EXPECT_EQ(restricted(*tree, CpuSet{}), nullptr);
}

// A mask of CPUs on both sides of each multiple of 64.
TEST(Restricted, MasksOfMoreThan64Cpus) {
  TreePtr tree = synthetic("pack:2 core:64 pu:2");
  CpuSet some;
  for (int cpu = 0; cpu < 256; ++cpu)
    if (cpu % 64 >= 62 || cpu % 64 <= 1) some.add(cpu);
  TreePtr part = restricted(*tree, some);
  ASSERT_NE(part, nullptr);
  expect_sound(*part);
  EXPECT_EQ(part->cpu_count(), 16);
  EXPECT_EQ(count(*part, Kind::core), 8);
  EXPECT_EQ(part->cpus(Tree::kRoot), some);
  CpuSet second;
  for (int cpu : {128, 129, 190, 191, 192, 193, 254, 255}) second.add(cpu);
  EXPECT_EQ(part->cpus(part->all(Kind::package)[1]), second);
}

TEST(Restricted, WithoutCpuZero) {
  TreePtr tree = synthetic("numa:8 core:2 pu:1");
  CpuSet others;
  for (int cpu = 1; cpu < 16; ++cpu) others.add(cpu);
  TreePtr part = restricted(*tree, others);
  ASSERT_NE(part, nullptr);
  expect_sound(*part);
  EXPECT_EQ(part->cpu_count(), 15);
  EXPECT_EQ((*part)[part->leaf(0)].os_index, 1);
  EXPECT_EQ((*part)[part->all(Kind::numa)[0]].leaves, 1);
}

// hwloc leaves out what is offline, and keeps the operating system's numbers.
TEST(Xml, CpuZeroIsOffline) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/offline.xml";
  std::ofstream(path) << R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0x0000000e" complete_cpuset="0x0000000f"
   allowed_cpuset="0x0000000e" nodeset="0x00000001" complete_nodeset="0x00000001"
   allowed_nodeset="0x00000001" gp_index="1">
  <object type="NUMANode" os_index="0" cpuset="0x0000000e" complete_cpuset="0x0000000f"
    nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2" local_memory="1024"/>
  <object type="Core" os_index="0" cpuset="0x00000002" complete_cpuset="0x00000003"
    nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="3">
   <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="4"/>
  </object>
  <object type="Core" os_index="1" cpuset="0x0000000c" complete_cpuset="0x0000000c"
    nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="5">
   <object type="PU" os_index="2" cpuset="0x00000004" complete_cpuset="0x00000004"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="6"/>
   <object type="PU" os_index="3" cpuset="0x00000008" complete_cpuset="0x00000008"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="7"/>
  </object>
 </object>
</topology>
)";
  TreePtr tree = from_xml(path.c_str());
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  EXPECT_EQ(tree->cpu_count(), 3);
  EXPECT_EQ((*tree)[tree->leaf(0)].os_index, 1);
  EXPECT_EQ((*tree)[tree->all(Kind::core)[0]].leaves, 1);
  EXPECT_EQ((*tree)[tree->all(Kind::core)[1]].leaves, 2);
}

TEST(FromCpus, OneCoreEach) {
  CpuSet cpus;
  for (int cpu : {3, 70, 1030, 8191}) cpus.add(cpu);
  TreePtr tree = from_cpus(cpus);
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  EXPECT_EQ(count(*tree, Kind::core), 4);
  EXPECT_EQ(tree->size(), 9);
  EXPECT_EQ(from_cpus(CpuSet{}), nullptr);
}

TEST(Building, RefusesLeavesWithHoles) {
  Builder holes("test");
  holes.add(Kind::cpu, 0, 0, 0, 1);
  holes.add(Kind::cpu, 1, 0, 2, 1);
  EXPECT_EQ(holes.build(), nullptr);
  Builder doubled("test");
  doubled.add(Kind::cpu, 0, 0, 0, 1);
  doubled.add(Kind::cpu, 1, 0, 0, 1);
  EXPECT_EQ(doubled.build(), nullptr);
}

TEST(Building, LeavesOutWhatCrosses) {
  Builder builder("test");
  for (int i = 0; i < 8; ++i) builder.add(Kind::cpu, i, 0, i, 1);
  builder.add(Kind::package, 0, 0, 0, 4);
  builder.add(Kind::package, 1, 0, 4, 4);
  builder.add(Kind::numa, 0, 0, 2, 4);
  TreePtr tree = builder.build();
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  EXPECT_EQ(count(*tree, Kind::numa), 0);
  EXPECT_EQ(count(*tree, Kind::package), 2);
}

TEST(Building, NumaNodesOfOneRangeAreOne) {
  Builder builder("test");
  for (int i = 0; i < 4; ++i) builder.add(Kind::cpu, i, 0, i, 1);
  builder.add(Kind::numa, 0, 0, 0, 4);
  builder.add(Kind::numa, 1, 0, 0, 4);
  TreePtr tree = builder.build();
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  EXPECT_EQ(count(*tree, Kind::numa), 1);
  EXPECT_EQ((*tree)[tree->all(Kind::numa)[0]].os_index, 0);
}

TEST(Machine, IsThisOneAndOneOnly) {
  std::vector<const Tree*> seen(4);
  std::vector<std::thread> threads;
  for (const Tree*& tree : seen) threads.emplace_back([&tree] { tree = &machine(); });
  for (std::thread& thread : threads) thread.join();
  for (const Tree* tree : seen) EXPECT_EQ(tree, seen[0]);
  expect_sound(*seen[0]);
  if (access("/sys/devices/system/cpu/cpu0/topology", R_OK) == 0) {
    EXPECT_STREQ(seen[0]->source(), "sysfs");
  }
  os::UsableCpus usable = os::usable_cpus();
  for (int cpu = usable.allowed.first(); cpu >= 0; cpu = usable.allowed.next(cpu))
    EXPECT_TRUE(seen[0]->cpus(Tree::kRoot).contains(cpu)) << cpu;
}

}  // namespace
}  // namespace tulle::topology
