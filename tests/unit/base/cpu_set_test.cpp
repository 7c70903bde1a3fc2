// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_set.h"

#include <gtest/gtest.h>

#include <set>

namespace tulle {
namespace {

CpuSet make(std::set<int> cpus) {
  CpuSet set;
  for (int cpu : cpus) set.add(cpu);
  return set;
}

std::set<int> members(const CpuSet& set) {
  std::set<int> found;
  for (int cpu = set.first(); cpu >= 0; cpu = set.next(cpu)) found.insert(cpu);
  return found;
}

TEST(CpuSet, VisitsMembersInOrder) {
  std::set<int> cpus = {0, 1, 63, 64, 127, 128, 1023, 1024, 4095, kMaxCpus - 1};
  CpuSet set = make(cpus);
  EXPECT_EQ(members(set), cpus);
  EXPECT_EQ(set.count(), static_cast<int>(cpus.size()));
  EXPECT_EQ(set.next(kMaxCpus - 1), -1);
}

TEST(CpuSet, Empty) {
  CpuSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.first(), -1);
  EXPECT_EQ(set.count(), 0);
  set.add(700);
  EXPECT_FALSE(set.empty());
  set.remove(700);
  EXPECT_TRUE(set.empty());
}

TEST(CpuSet, ContainsNothingOutsideItsRange) {
  CpuSet set = make({0, kMaxCpus - 1});
  EXPECT_FALSE(set.contains(-1));
  EXPECT_FALSE(set.contains(kMaxCpus));
  EXPECT_TRUE(set.contains(0));
}

TEST(CpuSet, Operations) {
  CpuSet low = make({1, 2, 65}), high = make({65, 2000});
  CpuSet both = low;
  both &= high;
  EXPECT_EQ(both, make({65}));
  CpuSet either = low;
  either |= high;
  EXPECT_EQ(either, make({1, 2, 65, 2000}));
}

// The kernel's masks are arrays of words, the least significant bit first.
TEST(CpuSet, LayoutOfTheKernelsMasks) {
  CpuSet set = make({0, 65});
  EXPECT_EQ(set.words()[0], 1u);
  EXPECT_EQ(set.words()[1], 2u);
}

}  // namespace
}  // namespace tulle
