// SPDX-License-Identifier: Apache-2.0
// Where a caller stands, told by its registers and its frame.
#include "arch/registers_digest.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

struct Seen {
  std::vector<uint64_t> digests;
  bool enough = false;
};

void keep(void* to, uint64_t digest) {
  auto* seen = static_cast<Seen*>(to);
  seen->digests.push_back(digest);
  seen->enough = seen->digests.size() == 5;
}

// What the frame holds beside `steps` is the same each time, in builds without optimisation too.
__attribute__((noinline)) std::vector<uint64_t> call_in_loop(bool counts) {
  Seen* seen = new Seen;
  int steps = 0;
  while (!seen->enough) {
    asm volatile("" : "+r"(steps));
    tulle_call_with_digest(seen, keep);
    asm volatile("" : "+r"(steps));
    if (counts) ++steps;
  }
  std::vector<uint64_t> digests = std::move(seen->digests);
  delete seen;
  return digests;
}

TEST(RegistersDigest, IsTheSameWhereNothingIsDone) {
  const std::vector<uint64_t> seen = call_in_loop(false);
  ASSERT_EQ(seen.size(), 5u);
  for (uint64_t digest : seen) EXPECT_EQ(digest, seen.front());
}

TEST(RegistersDigest, DiffersWhereSomethingIsCounted) {
  const std::vector<uint64_t> seen = call_in_loop(true);
  ASSERT_EQ(seen.size(), 5u);
  for (size_t i = 1; i < seen.size(); ++i) EXPECT_NE(seen[i], seen[i - 1]);
}

}  // namespace
