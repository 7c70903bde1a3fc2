// SPDX-License-Identifier: Apache-2.0
#include "sched/share.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tulle::sched {
namespace {

// Beside processes that used so much, in thousandths of a core; so many of them began before.
int share(int cpus, std::initializer_list<uint32_t> used, uint32_t before = 0) {
  os::PeersLook peers;
  for (uint32_t one : used) peers.used[peers.count++] = one;
  peers.before = before;
  return share_of(cpus, peers);
}

TEST(Share, AloneItIsAll) { EXPECT_EQ(share(8, {}), 8); }

TEST(Share, IdleOnesTakeNothing) { EXPECT_EQ(share(8, {0, 20, 49}), 8); }

TEST(Share, EqualParts) {
  EXPECT_EQ(share(8, {8000}), 4);
  EXPECT_EQ(share(9, {9000, 9000}), 3);
}

TEST(Share, NobodyHasNone) {
  EXPECT_EQ(share(2, {500, 500, 500, 500, 500, 500, 500}, 7), 1);
  EXPECT_EQ(share(1, {1000}, 1), 1);
}

TEST(Share, WhatTheModestLeaveIsDivided) {
  EXPECT_EQ(share(8, {1000}), 7);
  EXPECT_EQ(share(8, {1000, 8000}, 1), 3);
  EXPECT_EQ(share(8, {1000, 1000, 1000}), 5);
}

TEST(Share, WhatDoesNotDivideGoesToTheFirst) {
  EXPECT_EQ(share(3, {3000}, 0), 2);
  EXPECT_EQ(share(3, {3000}, 1), 1);
}

TEST(Share, PartsOfTwoThatBeginTogetherSettle) {
  // Both use what they have; each sees the other's part of the look before.
  int one = 8, other = 8;
  for (int look = 0; look < 10; ++look) {
    int next = share(8, {static_cast<uint32_t>(other) * 1000}, 0);
    other = share(8, {static_cast<uint32_t>(one) * 1000}, 1);
    one = next;
  }
  EXPECT_EQ(one, 4);
  EXPECT_EQ(other, 4);
}

}  // namespace
}  // namespace tulle::sched
