// SPDX-License-Identifier: Apache-2.0
#include "memory/stack_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace tulle::memory {
namespace {

int unmapped = 0;

struct StackPool : testing::Test {
  StackPool() { set_stack_size(size_t{256} << 10); }
};

TEST_F(StackPool, AStackIsAsLargeAsWasAskedForAndAllOfItIsThere) {
  Stack* stack = take_stack();
  ASSERT_NE(stack, nullptr);
  EXPECT_GE(stack->bytes, stack_size());
  auto* lowest = static_cast<char*>(stack->lowest);
  auto* top = static_cast<char*>(stack->top());
  EXPECT_LE(static_cast<size_t>(top - lowest), stack->bytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(top) % 16, 0u);
  memset(lowest, 1, static_cast<size_t>(top - lowest));
  EXPECT_LT(reinterpret_cast<uintptr_t>(lowest), stack->middle);
  EXPECT_GT(reinterpret_cast<uintptr_t>(top), stack->middle);
  EXPECT_EQ(stack->middle + stack->room, reinterpret_cast<uintptr_t>(lowest) + stack->bytes);
  give_stack(stack);
}

TEST_F(StackPool, TheOneGivenLastIsTakenFirst) {
  Stack* one = take_stack();
  Stack* two = take_stack();
  ASSERT_NE(one, two);
  give_stack(one);
  give_stack(two);
  EXPECT_EQ(take_stack(), two);
  EXPECT_EQ(take_stack(), one);
  give_stack(one);
  give_stack(two);
}

int caller_is_at = 0;

TEST_F(StackPool, AreReusedAtTheNodeWhereTheirPagesAre) {
  set_node_of_caller([] { return caller_is_at; });
  Stack* here = take_stack();
  caller_is_at = 1;
  Stack* there = take_stack();
  EXPECT_EQ(there->node, 1);
  give_stack(here);  // its owner has moved
  give_stack(there);
  EXPECT_EQ(take_stack(), there);
  caller_is_at = 0;
  EXPECT_EQ(take_stack(), here);
  give_stack(here);
  give_stack(there);
  set_node_of_caller(nullptr);
}

TEST_F(StackPool, StacksThatBecameTooSmallAreUnmapped) {
  set_unmap_hook([](Stack*) { ++unmapped; });
  Stack* small = take_stack();
  set_stack_size(2 * stack_size());
  give_stack(small);
  EXPECT_EQ(unmapped, 1);
  set_unmap_hook(nullptr);
}

TEST_F(StackPool, KnowsItsGuardPages) {
  Stack* stack = take_stack();
  auto* lowest = static_cast<char*>(stack->lowest);
  EXPECT_EQ(stack_above_guard(lowest - 1), stack->bytes);
  EXPECT_EQ(stack_above_guard(lowest), 0u);
  EXPECT_EQ(stack_above_guard(stack), 0u);
  EXPECT_DEATH(*static_cast<volatile char*>(lowest - 1) = 1, "");
  give_stack(stack);
}

TEST_F(StackPool, CountsThoseOnWhichSomethingIsSuspended) {
  Stack* stack = take_stack();
  EXPECT_EQ(suspended_stacks(), 0u);
  int ult;
  stack->suspended = &ult;
  EXPECT_EQ(suspended_stacks(), 1u);
  stack->suspended = nullptr;
  give_stack(stack);
}

TEST_F(StackPool, GivesBackWhatABurstHasMapped) {
  constexpr int kBurst = 200, kKept = 64;
  static int gone;
  gone = 0;
  set_unmap_hook([](Stack*) { ++gone; });
  std::vector<Stack*> burst;
  for (int i = 0; i < kBurst; ++i) burst.push_back(take_stack());
  trim_stacks();
  EXPECT_EQ(gone, 0) << "those in use stay";
  for (Stack* stack : burst) give_stack(stack);
  EXPECT_TRUE(trim_stacks());
  EXPECT_EQ(gone, 0) << "for a while";
  EXPECT_FALSE(trim_stacks());
  EXPECT_GE(gone, kBurst - kKept);
  int after = gone;
  trim_stacks();
  EXPECT_EQ(gone, after);
  set_unmap_hook(nullptr);
}

TEST_F(StackPool, ATakenStackIsNewAgainWhenItComesBack) {
  static int gone;
  gone = 0;
  std::vector<Stack*> burst;
  auto take = [&] { for (int i = 0; i < 100; ++i) burst.push_back(take_stack()); };
  auto give = [&] {
    for (Stack* stack : burst) give_stack(stack);
    burst.clear();
  };
  take();
  give();
  set_unmap_hook([](Stack*) { ++gone; });
  for (int i = 0; i < 5; ++i) {
    trim_stacks();
    take();
    give();
  }
  EXPECT_EQ(gone, 0);
  set_unmap_hook(nullptr);
}

TEST_F(StackPool, BeyondItsLimitAStackIsForWhoeverCannotDoWithoutAndNowAndThen) {
  constexpr uint64_t kPatience = 10000000;
  EXPECT_FALSE(stack_limit_reached());
  Stack* one = take_stack();
  set_stack_limit(1);
  EXPECT_TRUE(stack_limit_reached());
  EXPECT_FALSE(stacks_are_short(kPatience)) << "none beyond the limit so far";
  Stack* two = take_stack();
  ASSERT_NE(two, nullptr);
  EXPECT_TRUE(stacks_are_short(kPatience));
  std::this_thread::sleep_for(std::chrono::milliseconds(11));
  EXPECT_FALSE(stacks_are_short(kPatience));
  give_stack(two);
  give_stack(one);
  EXPECT_FALSE(stack_limit_reached());
  set_stack_limit(0);
}

}  // namespace
}  // namespace tulle::memory
