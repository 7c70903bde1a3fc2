// SPDX-License-Identifier: Apache-2.0
//
// Collapsed loop nests: counted and found iterations against the nest executed as written.
#include "abi/kmp/loop_nest.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace {

using namespace tulle::kmp;

LoopBounds loop(LoopType type, LoopCompare compare, int64_t lower, int64_t upper, int64_t step,
                int64_t lower1 = 0, int64_t upper1 = 0) {
  return {static_cast<int32_t>(type),
          static_cast<int32_t>(type),
          static_cast<int32_t>(compare),
          0,
          static_cast<uint64_t>(lower),
          static_cast<uint64_t>(lower1),
          static_cast<uint64_t>(upper),
          static_cast<uint64_t>(upper1),
          step,
          0};
}

using Points = std::vector<std::pair<int64_t, int64_t>>;

Points points_of(LoopBounds* nest) {
  make_canonical(nest[0]);
  make_canonical(nest[1]);
  uint64_t ivs[2] = {};
  const uint64_t count = count_nest(nest, 2, 0, ivs);
  Points points;
  for (uint64_t i = 0; i < count; ++i) {
    find_in_nest(nest, 2, 0, i, ivs);
    points.emplace_back(int64_t(ivs[0]), int64_t(ivs[1]));
  }
  return points;
}

TEST(KmpLoopNest, Triangle) {
  LoopBounds nest[] = {loop(LoopType::i32, LoopCompare::less, -3, 9, 2),
                       loop(LoopType::i32, LoopCompare::less_equal, 0, 4, 1, 1, 0)};
  Points expected;
  for (int i = -3; i < 9; i += 2)
    for (int j = i; j <= 4; ++j) expected.emplace_back(i, j);
  EXPECT_EQ(points_of(nest), expected);
}

TEST(KmpLoopNest, DownwardsWithBothBoundsMoving) {
  LoopBounds nest[] = {loop(LoopType::i64, LoopCompare::greater, 10, 0, -3),
                       loop(LoopType::i64, LoopCompare::greater_equal, 5, -2, -2, 2, 1)};
  Points expected;
  for (int i = 10; i > 0; i -= 3)
    for (int j = 5 + 2 * i; j >= -2 + i; j -= 2) expected.emplace_back(i, j);
  EXPECT_EQ(points_of(nest), expected);
}

TEST(KmpLoopNest, UnsignedBytesUpToTheLast) {
  LoopBounds nest[] = {loop(LoopType::u8, LoopCompare::not_equal, 250, 255, 1),
                       loop(LoopType::u8, LoopCompare::less_equal, 252, 255, 1)};
  Points expected;
  for (int i = 250; i != 255; ++i)
    for (int j = 252; j <= 255; ++j) expected.emplace_back(i, j);
  EXPECT_EQ(points_of(nest), expected);
}

TEST(KmpLoopNest, NothingIsBelowTheLeastValue) {
  LoopBounds nest[] = {loop(LoopType::u32, LoopCompare::less, 0, 0, 1),
                       loop(LoopType::u32, LoopCompare::less, 0, 3, 1)};
  EXPECT_TRUE(points_of(nest).empty());
  LoopBounds down[] = {loop(LoopType::i8, LoopCompare::greater, 127, 127, -1),
                       loop(LoopType::i8, LoopCompare::less, 0, 3, 1)};
  EXPECT_TRUE(points_of(down).empty());
}

TEST(KmpLoopNest, EmptyInside) {
  LoopBounds nest[] = {loop(LoopType::u32, LoopCompare::less, 0, 5, 1),
                       loop(LoopType::u32, LoopCompare::less, 3, 3, 1)};
  EXPECT_TRUE(points_of(nest).empty());
}

}  // namespace
