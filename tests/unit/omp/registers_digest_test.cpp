// SPDX-License-Identifier: Apache-2.0
// Where a caller stands, told by its registers and its frame.
#include "arch/registers_digest.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

void keep(void* seen, uint64_t digest) { static_cast<std::vector<uint64_t>*>(seen)->push_back(digest); }

__attribute__((noinline)) void call_in_loop(std::vector<uint64_t>* seen, size_t times, bool counts) {
  int steps = 0;
  while (seen->size() < times) {
    asm volatile("" : "+r"(steps));
    tulle_call_with_digest(seen, keep);
    asm volatile("" : "+r"(steps));
    if (counts) ++steps;
  }
}

TEST(RegistersDigest, IsTheSameWhereNothingIsDone) {
  std::vector<uint64_t> seen;
  call_in_loop(&seen, 5, false);
  ASSERT_EQ(seen.size(), 5u);
  for (uint64_t digest : seen) EXPECT_EQ(digest, seen.front());
}

TEST(RegistersDigest, DiffersWhereSomethingIsCounted) {
  std::vector<uint64_t> seen;
  call_in_loop(&seen, 5, true);
  ASSERT_EQ(seen.size(), 5u);
  for (size_t i = 1; i < seen.size(); ++i) EXPECT_NE(seen[i], seen[i - 1]);
}

}  // namespace
