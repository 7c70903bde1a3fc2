// SPDX-License-Identifier: Apache-2.0
//
// Static loop schedules: each split of a space is compared with the iterations counted out one by one,
// also at both ends of the type.
#include "abi/kmp/static_split.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace tulle::kmp;

template <class T>
class StaticSplit : public testing::Test {
 protected:
  using S = std::make_signed_t<T>;
  using Wide = __int128;

  static std::vector<T> iterations(Bounds<T> bounds, S step) {
    std::vector<T> values;
    const Wide end = bounds.upper;
    for (Wide v = bounds.lower; step > 0 ? v <= end : v >= end; v += step) values.push_back(T(v));
    return values;
  }

  struct Space {
    Bounds<T> bounds;
    S step;
  };

  // Short spaces anywhere in the type, some of them touching its ends.
  static Space random_space(std::mt19937_64& random) {
    const Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const Wide step = std::uniform_int_distribution<int>(1, 7)(random);
    const Wide length = std::uniform_int_distribution<int>(0, 200)(random);
    Wide lower;
    switch (random() % 3) {
      case 0:
        lower = low;
        break;
      case 1:
        lower = high - length;
        break;
      default:
        lower = Wide(T(random()));
        if (lower + length > high) lower = high - length;
    }
    const Bounds<T> up{T(lower), T(lower + length)};
    return random() % 2 ? Space{up, S(step)} : Space{{up.upper, up.lower}, S(-step)};
  }

  static constexpr unsigned kCounts[] = {1, 2, 3, 4, 7, 16, 64};
};

using Types = testing::Types<int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(StaticSplit, Types);

TYPED_TEST(StaticSplit, EvenPartsFollowEachOther) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round) {
    const auto space = this->random_space(random);
    const auto expected = this->iterations(space.bounds, space.step);
    for (unsigned count : this->kCounts) {
      std::vector<TypeParam> found;
      unsigned last_owners = 0;
      size_t largest = 0, smallest = expected.size();
      for (unsigned number = 0; number < count; ++number) {
        const auto part = split_even(space.bounds, space.step, {number, count});
        const auto mine = this->iterations(part.bounds, space.step);
        found.insert(found.end(), mine.begin(), mine.end());
        largest = std::max(largest, mine.size());
        smallest = std::min(smallest, mine.size());
        if (part.last) {
          ++last_owners;
          EXPECT_EQ(mine.back(), expected.back());
        }
      }
      EXPECT_EQ(found, expected);
      EXPECT_EQ(last_owners, 1u);
      EXPECT_LE(largest - smallest, 1u);
    }
  }
}

TYPED_TEST(StaticSplit, ChunksAreDealtInTurn) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 400; ++round) {
    const auto space = this->random_space(random);
    const auto expected = this->iterations(space.bounds, space.step);
    const auto chunk = std::make_signed_t<TypeParam>(random() % 12);
    const size_t size = chunk < 1 ? 1 : size_t(chunk);
    for (unsigned count : this->kCounts) {
      for (unsigned number = 0; number < count; ++number) {
        std::vector<TypeParam> mine;
        for (size_t i = 0; i < expected.size(); ++i)
          if (i / size % count == number) mine.push_back(expected[i]);
        const auto part = split_chunked(space.bounds, space.step, {number, count}, chunk);
        const auto first = this->iterations(part.bounds, space.step);
        const size_t first_size = std::min(size, mine.size());
        EXPECT_EQ(first, std::vector<TypeParam>(mine.begin(), mine.begin() + first_size));
        EXPECT_EQ(part.last, !mine.empty() && mine.back() == expected.back());
        if (mine.size() > size) {
          EXPECT_EQ(TypeParam(part.bounds.lower + TypeParam(part.stride)), mine[size]);
        }
      }
    }
  }
}

TYPED_TEST(StaticSplit, EvenPartsOfWholeChunks) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    const auto space = this->random_space(random);
    const auto expected = this->iterations(space.bounds, space.step);
    const auto chunk = std::make_signed_t<TypeParam>(1 + random() % 12);
    for (unsigned count : this->kCounts) {
      std::vector<TypeParam> found;
      for (unsigned number = 0; number < count; ++number) {
        const auto part = split_even_chunks(space.bounds, space.step, {number, count}, chunk);
        const auto mine = this->iterations(part.bounds, space.step);
        found.insert(found.end(), mine.begin(), mine.end());
        EXPECT_EQ(part.last, !mine.empty() && mine.back() == expected.back());
        if (!part.last) {
          EXPECT_EQ(mine.size() % size_t(chunk), 0u);
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TYPED_TEST(StaticSplit, WholeTypeIsDivided) {
  using Limits = std::numeric_limits<TypeParam>;
  const Bounds<TypeParam> all{Limits::min(), Limits::max()};
  const auto lower = split_even(all, 1, {0, 2});
  const auto upper = split_even(all, 1, {1, 2});
  EXPECT_EQ(lower.bounds.lower, Limits::min());
  EXPECT_EQ(TypeParam(lower.bounds.upper + 1), upper.bounds.lower);
  EXPECT_EQ(upper.bounds.upper, Limits::max());
  EXPECT_TRUE(upper.last);
  EXPECT_FALSE(lower.last);
}

}  // namespace
