// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "offload/code_ranges.h"

namespace tulle::offload {
namespace {

int some_function() { return 1; }
int some_variable = 2;

TEST(CodeRangesTest, HoldWhatIsLoaded) {
  CodeRanges ranges;
  EXPECT_FALSE(ranges.hold(reinterpret_cast<void*>(&some_function)));
  ASSERT_TRUE(ranges.note());
  EXPECT_TRUE(ranges.hold(reinterpret_cast<void*>(&some_function)));
  EXPECT_TRUE(ranges.hold(reinterpret_cast<void*>(&abort)));
}

TEST(CodeRangesTest, HoldCodeAlone) {
  CodeRanges ranges;
  ASSERT_TRUE(ranges.note());
  int local = 0;
  EXPECT_FALSE(ranges.hold(&local));
  EXPECT_FALSE(ranges.hold(&some_variable));
  EXPECT_FALSE(ranges.hold(nullptr));
}

}  // namespace
}  // namespace tulle::offload
