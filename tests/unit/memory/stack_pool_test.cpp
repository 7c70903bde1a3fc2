// SPDX-License-Identifier: Apache-2.0
#include "memory/stack_pool.h"

#include <gtest/gtest.h>

#include <cstring>

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
  EXPECT_LT(lowest, stack->middle);
  EXPECT_GT(top, stack->middle);
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

}  // namespace
}  // namespace tulle::memory
