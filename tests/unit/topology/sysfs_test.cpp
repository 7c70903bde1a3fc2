// SPDX-License-Identifier: Apache-2.0
// The tree from the kernel's files: machines that are written into a folder as Linux would show them, then spoilt; and
// this one, beside what hwloc finds.
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "os/cpus.h"
#include "sound.h"
#include "temporary_folder.h"
#include "topology/topology.h"

namespace tulle::topology {
namespace {

class Sysfs : public ::testing::Test {
 protected:
  std::string system() const { return root_ + "/sys/devices/system/"; }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::path file = system() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void remove(const std::string& path) const { std::filesystem::remove_all(system() + path); }
  static std::string cpu(int number) { return "cpu/cpu" + std::to_string(number) + "/"; }

  void online(const std::string& list) const { write("cpu/online", list + "\n"); }
  void topology(int number, int package, const std::string& package_cpus, int core, const std::string& core_cpus) const {
    write(cpu(number) + "topology/physical_package_id", std::to_string(package) + "\n");
    write(cpu(number) + "topology/package_cpus_list", package_cpus + "\n");
    write(cpu(number) + "topology/core_id", std::to_string(core) + "\n");
    write(cpu(number) + "topology/core_cpus_list", core_cpus + "\n");
  }
  void cache(int number, int index, int level, const std::string& type, const std::string& cpus) const {
    std::string folder = cpu(number) + "cache/index" + std::to_string(index) + "/";
    write(folder + "level", std::to_string(level) + "\n");
    write(folder + "type", type + "\n");
    write(folder + "shared_cpu_list", cpus + "\n");
  }
  void node(int number, const std::string& cpus, const std::string& distances) const {
    write("node/node" + std::to_string(number) + "/cpulist", cpus + "\n");
    write("node/node" + std::to_string(number) + "/distance", distances + "\n");
  }

  // Packages that are NUMA nodes, of `cores` cores; the second hardware thread of all cores comes after the first ones.
  void write_server(int packages, int cores) const {
    int all = packages * cores;
    online("0-" + std::to_string(2 * all - 1));
    write("node/online", "0-" + std::to_string(packages - 1) + "\n");
    for (int p = 0; p < packages; ++p) {
      std::string cpus = range(p * cores, cores) + "," + range(all + p * cores, cores), distances;
      for (int to = 0; to < packages; ++to) distances += to == p ? "10 " : std::to_string(20 + p + to) + " ";
      node(p, cpus, distances);
      for (int c = 0; c < cores; ++c)
        for (int number : {p * cores + c, all + p * cores + c}) {
          std::string core = std::to_string(p * cores + c) + "," + std::to_string(all + p * cores + c);
          topology(number, p, cpus, c, core);
          cache(number, 0, 1, "Data", core);
          cache(number, 1, 1, "Instruction", core);
          cache(number, 2, 2, "Unified", core);
          cache(number, 3, 3, "Unified", cpus);
        }
    }
  }
  static std::string range(int first, int count) {
    return std::to_string(first) + "-" + std::to_string(first + count - 1);
  }

  TreePtr read() const {
    TreePtr tree = from_sysfs(root_.c_str(), CpuSet{});
    if (tree != nullptr) expect_sound(*tree);
    return tree;
  }

  TemporaryFolder folder_;
  const std::string& root_ = folder_.path();
};

TEST_F(Sysfs, TwoPackagesWithHardwareThreads) {
  write_server(2, 4);
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_STREQ(tree->source(), "sysfs");
  EXPECT_EQ(tree->cpu_count(), 16);
  EXPECT_EQ(count(*tree, Kind::package), 2);
  EXPECT_EQ(count(*tree, Kind::numa), 2);
  EXPECT_EQ(count(*tree, Kind::last_cache), 2);
  EXPECT_EQ(count(*tree, Kind::cache), 0);
  EXPECT_EQ(count(*tree, Kind::core), 8);
  EXPECT_EQ(tree->numa_distance(0, 1), 21);
  EXPECT_EQ(tree->numa_distance(1, 1), 10);
  std::vector<int> order;
  for (int i = 0; i < 16; ++i) order.push_back((*tree)[tree->leaf(i)].os_index);
  EXPECT_EQ(order, (std::vector<int>{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}));
  EXPECT_EQ((*tree)[tree->all(Kind::core)[5]].os_index, 1) << "numbered within the package";
  EXPECT_EQ((*tree)[tree->all(Kind::last_cache)[1]].cache_level, 3);
}

// What from_sysfs builds of a machine is what hwloc's description of the same shape gives.
TEST_F(Sysfs, NodesWithinAPackageAndCachesWithinANode) {
  online("0-15");
  write("node/online", "0-3\n");
  for (int n = 0; n < 4; ++n) node(n, range(4 * n, 4), "10 12 32 32");
  for (int c = 0; c < 16; ++c) {
    topology(c, c / 8, range(c / 8 * 8, 8), c % 8, std::to_string(c));
    cache(c, 0, 2, "Unified", range(c / 2 * 2, 2));
    cache(c, 1, 3, "Unified", range(c / 4 * 4, 4));
  }
  TreePtr tree = read();
  TreePtr wanted = from_synthetic("pack:2 numa:2 l3:1 l2:2 core:2 pu:1");
  ASSERT_NE(tree, nullptr);
  ASSERT_NE(wanted, nullptr);
  ASSERT_EQ(tree->size(), wanted->size());
  for (int id = 0; id < tree->size(); ++id) {
    EXPECT_EQ((*tree)[id].kind, (*wanted)[id].kind) << id;
    EXPECT_EQ((*tree)[id].first_leaf, (*wanted)[id].first_leaf) << id;
    EXPECT_EQ((*tree)[id].leaves, (*wanted)[id].leaves) << id;
    EXPECT_EQ((*tree)[id].cache_level, (*wanted)[id].cache_level) << id;
  }
}

TEST_F(Sysfs, ANodeOfSeveralPackagesThatAreNotNeighbours) {
  online("0-7");
  write("node/online", "0-1\n");
  node(0, "0-1,4-5", "10 20");
  node(1, "2-3,6-7", "20 10");
  for (int c = 0; c < 8; ++c) topology(c, c / 2, range(c / 2 * 2, 2), c, std::to_string(c));
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(count(*tree, Kind::numa), 2);
  EXPECT_EQ(count(*tree, Kind::package), 4);
  std::vector<int> order;
  for (int i = 0; i < 8; ++i) order.push_back((*tree)[tree->leaf(i)].os_index);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST_F(Sysfs, CoresOfTwoKinds) {
  online("0-7");
  for (int c = 0; c < 8; ++c) {
    bool large = c < 4;
    std::string core = large ? range(c / 2 * 2, 2) : std::to_string(c);
    topology(c, 0, "0-7", c, core);
    cache(c, 0, 1, "Data", core);
    cache(c, 1, 2, "Unified", large ? core : "4-7");
    cache(c, 2, 3, "Unified", "0-7");
  }
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(count(*tree, Kind::core), 6);
  EXPECT_EQ(count(*tree, Kind::cache), 1) << "the one that small cores share";
  EXPECT_EQ((*tree)[tree->all(Kind::cache)[0]].first_leaf, 4);
  EXPECT_EQ(count(*tree, Kind::numa), 1) << "a kernel without NUMA has one memory";
}

TEST_F(Sysfs, OfflineProcessorsAndHoles) {
  write_server(2, 4);
  online("1-2,4-6,9-10,13,15");
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(tree->cpu_count(), 9);
  EXPECT_EQ(count(*tree, Kind::package), 2);
  EXPECT_EQ(count(*tree, Kind::core), 6);
  EXPECT_EQ((*tree)[tree->leaf(0)].os_index, 1);
  EXPECT_EQ((*tree)[tree->leaf(1)].os_index, 9);
}

TEST_F(Sysfs, ProcessorsOfTheMaskAreThereEvenIfTheFileDeniesIt) {
  write_server(1, 2);
  online("0");
  CpuSet mask;
  mask.add(3);
  mask.add(70);
  TreePtr tree = from_sysfs(root_.c_str(), mask);
  ASSERT_NE(tree, nullptr);
  expect_sound(*tree);
  CpuSet all = mask;
  all.add(0);
  EXPECT_EQ(tree->cpus(Tree::kRoot), all);
}

TEST_F(Sysfs, OldNamesOfTheLists) {
  online("0-3");
  for (int c = 0; c < 4; ++c) {
    write(cpu(c) + "topology/core_siblings_list", "0-3\n");
    write(cpu(c) + "topology/thread_siblings_list", range(c / 2 * 2, 2) + "\n");
  }
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(count(*tree, Kind::package), 1);
  EXPECT_EQ(count(*tree, Kind::core), 2);
}

TEST_F(Sysfs, MissingFoldersLeaveTheirLevelOut) {
  write_server(2, 2);
  for (int c = 0; c < 8; ++c) remove(cpu(c) + "cache");
  TreePtr tree = read();
  EXPECT_EQ(count(*tree, Kind::last_cache), 0);
  EXPECT_EQ(count(*tree, Kind::core), 4);
  for (int c = 0; c < 8; ++c) remove(cpu(c) + "topology");
  tree = read();
  EXPECT_EQ(count(*tree, Kind::package), 0);
  EXPECT_EQ(count(*tree, Kind::core), 8);
  EXPECT_EQ(count(*tree, Kind::numa), 2);
  remove("cpu/online");
  EXPECT_EQ(read(), nullptr);
  remove("");
  EXPECT_EQ(read(), nullptr);
}

TEST_F(Sysfs, ACutOrOddListLeavesItsLevelOut) {
  write_server(2, 4);
  for (const char* odd : {"", "0-3,8", "0-3,8-1\n", "2-3\n", "fruit\n", "-1\n", "0-99999999999999999999\n", "0--3\n",
                          "0-3;8-11\n", "\n"}) {
    write(cpu(0) + "topology/package_cpus_list", odd);
    write(cpu(1) + "topology/package_cpus_list", odd);
    for (int c : {2, 3, 8, 9, 10, 11}) remove(cpu(c) + "topology/package_cpus_list");
    write("node/node1/cpulist", odd);
    TreePtr tree = read();
    ASSERT_NE(tree, nullptr) << odd;
    EXPECT_EQ(tree->cpu_count(), 16) << odd;
    EXPECT_EQ(count(*tree, Kind::package), 0) << odd;
    EXPECT_EQ(count(*tree, Kind::numa), 0) << odd;
    EXPECT_EQ(count(*tree, Kind::core), 8) << odd;
    EXPECT_EQ(count(*tree, Kind::last_cache), 2) << odd;
  }
}

TEST_F(Sysfs, GroupsThatCrossAreLeftOut) {
  online("0-3");
  for (int c = 0; c < 4; ++c) {
    topology(c, 0, "0-3", c, range(c / 2 * 2, 2));
    cache(c, 0, 2, "Unified", c == 1 || c == 2 ? "1-2" : std::to_string(c));
    cache(c, 1, 0, "Unified", "0-3");
    cache(c, 2, 3, "Fruit", "0-3");
  }
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(count(*tree, Kind::core), 2);
  for (Kind kind : {Kind::last_cache, Kind::cache})
    for (int id : tree->all(kind)) EXPECT_EQ((*tree)[id].leaves, 1);
}

// Files of a good machine overwritten by bytes, cut, replaced by folders or removed: always a tree or none.
TEST_F(Sysfs, AnythingIsSurvived) {
  std::minstd_rand random(1);
  const char* texts[] = {"", "\n", "0", "0-7\n", "7-0\n", "0,0,0\n", "-5\n", "8191\n", "8192\n", "\xff\xfe\n",
                         "3-4\n", "1,3,5,7\n", "Unified\n", "99999999999999\n"};
  for (int round = 0; round < 30; ++round) {
    remove("");
    write_server(2, 2);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(system()))
      if (entry.is_regular_file() && entry.path().filename() != "online") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (int spoilt = 0; spoilt < 1 + round; ++spoilt) {
      const std::filesystem::path& file = files[random() % files.size()];
      std::filesystem::remove_all(file);
      int how = static_cast<int>(random() % 16);
      if (how < 14)
        std::ofstream(file) << texts[how];
      else if (how == 14)
        std::filesystem::create_directory(file);
    }
    TreePtr tree = read();
    ASSERT_NE(tree, nullptr);
    EXPECT_EQ(tree->cpu_count(), 8);
  }
}

double fastest_microseconds(int times, const std::function<void()>& body) {
  double least = 1e9;
  for (int i = 0; i < times; ++i) {
    auto start = std::chrono::steady_clock::now();
    body();
    least = std::min(least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

// The bound allows for a busy machine and a build under a sanitizer.
TEST_F(Sysfs, TwoHundredAndFiftySixProcessorsInLittleTime) {
  double here = fastest_microseconds(20, [] { from_sysfs("", os::usable_cpus().allowed); });
  write_server(2, 64);
  TreePtr tree = read();
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(tree->cpu_count(), 256);
  EXPECT_EQ(count(*tree, Kind::core), 128);
  double large = fastest_microseconds(10, [this] { from_sysfs(root_.c_str(), CpuSet{}); });
  RecordProperty("here_us", std::to_string(here));
  RecordProperty("cpus_256_us", std::to_string(large));
  printf("this machine: %.0f us; 256 CPUs: %.0f us\n", here, large);
  EXPECT_LT(large, 50000);
}

// Level by level, as far as the process may use the machine: hwloc leaves out what the control group hides.
TEST(SysfsHere, IsWhatHwlocFinds) {
  CpuSet allowed = os::usable_cpus().allowed;
  TreePtr whole = from_hwloc();
  ASSERT_NE(whole, nullptr);
  TreePtr read = from_sysfs("", allowed);
  if (read == nullptr) GTEST_SKIP() << "no /sys/devices/system here";
  expect_sound(*read);
  TreePtr theirs = restricted(*whole, allowed), ours = restricted(*read, allowed);
  ASSERT_NE(ours, nullptr);
  for (int kind = 0; kind < kKinds; ++kind) {
    Kind level = static_cast<Kind>(kind);
    ASSERT_EQ(count(*ours, level), count(*theirs, level)) << name(level);
    for (int i = 0; i < count(*ours, level); ++i) {
      int a = ours->all(level)[i], b = theirs->all(level)[i];
      EXPECT_EQ(ours->cpus(a), theirs->cpus(b)) << name(level) << " " << i;
      EXPECT_EQ((*ours)[a].cache_level, (*theirs)[b].cache_level) << name(level) << " " << i;
      if (level == Kind::cpu || level == Kind::core || level == Kind::package || level == Kind::numa) {
        EXPECT_EQ((*ours)[a].os_index, (*theirs)[b].os_index) << name(level) << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tulle::topology
