// SPDX-License-Identifier: Apache-2.0
#include "os/memory.h"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Tables of pages in processors have a power of two of sets: an odd number of pages from top to top uses all of them.
TEST(Memory, TopsOfStacksAreAnOddNumberOfPagesApart) {
  for (size_t bytes = size_t{64} << 10; bytes <= size_t{1} << 30; bytes *= 2)
    EXPECT_EQ((bytes + os::stack_guard_size(bytes)) / os::page_size() % 2, 1u) << bytes;
}

}  // namespace
}  // namespace tulle
