// SPDX-License-Identifier: Apache-2.0
// Control-group quotas are read from a file tree made for each test, as a container would show it.
#include "os/cpus.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.h"

namespace tulle::os {
namespace {

class Quota : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void own_group(const std::string& lines) { write("/proc/self/cgroup", lines); }
  void mounts(const std::string& lines) { write("/proc/self/mountinfo", lines); }
  void mount_v2() {
    mounts("22 27 0:21 / /proc rw,relatime - proc proc rw\n"
           "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  CpuQuota quota() const { return cpu_quota(root_.c_str()); }

  TemporaryFolder folder_;
  const std::string& root_ = folder_.path();
};

TEST_F(Quota, UnlimitedWithoutFiles) { EXPECT_FALSE(quota().limited()); }

TEST_F(Quota, V2Max) {
  mount_v2();
  own_group("0::/job\n");
  write("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_FALSE(quota().limited());
  EXPECT_EQ(quota().cpus(), kMaxCpus);
}

TEST_F(Quota, V2FractionCountsAsOneMore) {
  mount_v2();
  own_group("0::/job\n");
  write("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota().cpus(), 2);
  EXPECT_EQ(quota().version, 2);
  EXPECT_EQ(quota().group, root_ + "/sys/fs/cgroup/job");
  write("/sys/fs/cgroup/job/cpu.max", "20000 100000\n");
  EXPECT_EQ(quota().cpus(), 1);
  write("/sys/fs/cgroup/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota().cpus(), 3);
}

TEST_F(Quota, TightestOfNestedGroupsCounts) {
  mount_v2();
  own_group("0::/a/b/c\n");
  write("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "100000 50000\n");
  write("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(quota().cpus(), 2);
  EXPECT_EQ(quota().group, root_ + "/sys/fs/cgroup/a/b");
}

TEST_F(Quota, OutsideOfTheNamespaceAsksTheMountPoint) {
  mount_v2();
  own_group("0::/../elsewhere\n");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota().cpus(), 2);
}

TEST_F(Quota, V2AtTheUsualPlace) {
  own_group("0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cgroup.procs", "");
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota().cpus(), 2) << "mountinfo is not needed";
  EXPECT_EQ(quota().group, root_ + "/sys/fs/cgroup/a");
}

TEST_F(Quota, V1AtTheUsualPlace) {
  own_group("3:cpu,cpuacct:/\n0::/\n");
  write("/sys/fs/cgroup/cpu/cgroup.procs", "");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota().cpus(), 2) << "mountinfo is not needed";
}

TEST_F(Quota, OneOfAnotherNamespaceIsNotAtTheUsualPlace) {
  own_group("0::/docker/abc\n");
  mounts("31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/cgroup.procs", "");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota().cpus(), 2);
}

TEST_F(Quota, V1WithMountRootOfAContainer) {
  own_group("4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/system\n");
  mounts("32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw master:11 - cgroup cgroup "
         "rw,cpu,cpuacct\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota().cpus(), 3);
  EXPECT_EQ(quota().version, 1);
}

TEST_F(Quota, V1Unlimited) {
  own_group("1:cpu:/\n");
  mounts("32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(quota().limited());
}

TEST_F(Quota, CpusetAndCpuacctAreNotTheCpuController) {
  own_group("3:cpuset:/a\n2:cpuacct:/a\n");
  mounts("32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  write("/sys/fs/cgroup/cpuset/a/cpu.cfs_quota_us", "100000\n");
  write("/sys/fs/cgroup/cpuset/a/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(quota().limited());
}

TEST_F(Quota, HybridTakesTheTighterHierarchy) {
  own_group("1:cpu:/job\n0::/job\n");
  mounts("32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
         "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/unified/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota().cpus(), 3);
}

TEST_F(Quota, EscapedMountPointAndManyMounts) {
  std::string lines;
  for (int i = 0; i < 500; ++i)
    lines += "99 1 0:9 / /mnt/" + std::to_string(i) + " rw - tmpfs tmpfs rw\n";
  mounts(lines + "31 23 0:28 / /cg\\040roups rw - cgroup2 cgroup2 rw\n");
  own_group("0::/job\n");
  write("/cg roups/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota().cpus(), 2);
}

TEST_F(Quota, SurvivesNonsense) {
  mounts("a - \n - cgroup2 cgroup2 rw\n31 - cgroup2 x y\n\n31 23 0:28 / /c rw - cgroup2 c rw");
  own_group(":::\n0\n0::\n\n0::/job");
  write("/c/job/cpu.max", "many few\n");
  EXPECT_FALSE(quota().limited());
  write("/c/job/cpu.max", "100000 0\n");
  EXPECT_FALSE(quota().limited());
  write("/c/job/cpu.max", "9000000000000000000 1\n");
  EXPECT_EQ(quota().cpus(), kMaxCpus);
}

TEST(CpuList, Ranges) {
  CpuSet cpus;
  ASSERT_TRUE(parse_cpu_list("0-3,8,1022-1025\n", cpus));
  EXPECT_EQ(cpus.count(), 9);
  EXPECT_TRUE(cpus.contains(1025));
  EXPECT_EQ(cpus.next(3), 8);
  EXPECT_EQ(cpus.next(8), 1022);
  EXPECT_EQ(cpus.next(1025), -1);
  ASSERT_TRUE(parse_cpu_list("\n", cpus));
  EXPECT_TRUE(cpus.empty());
}

TEST(CpuList, RefusesNonsense) {
  CpuSet cpus;
  for (const char* text : {"a", "1-", "3-1", "-1", "1 2", "8192", "0-8192"})
    EXPECT_FALSE(parse_cpu_list(text, cpus)) << text;
  EXPECT_TRUE(parse_cpu_list("8191", cpus));
}

TEST(UsableCpus, FollowsTheAffinityMask) {
  CpuSet before;
  ASSERT_TRUE(affinity_mask(0, before));
  CpuSet one;
  one.add(before.first());
  auto set = [](CpuSet& mask) {
    return sched_setaffinity(0, kMaxCpus / 8, reinterpret_cast<cpu_set_t*>(mask.words()));
  };
  ASSERT_EQ(set(one), 0);
  UsableCpus usable = usable_cpus();
  EXPECT_EQ(usable.count, 1);
  EXPECT_EQ(usable.allowed, one);
  ASSERT_EQ(set(before), 0);
  EXPECT_EQ(usable_cpus().allowed, before);
}

}  // namespace
}  // namespace tulle::os
