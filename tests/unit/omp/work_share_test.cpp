// SPDX-License-Identifier: Apache-2.0
// Slots: one thread fills, all see it, the ring goes round, and nobody is left behind.
#include "omp/thread/work_share.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "in_region.h"
#include "omp/worksharing/cancel.h"
#include "omp/worksharing/loop.h"

namespace tulle::omp {
namespace {

using test::in_region;

class Share : public testing::TestWithParam<uint32_t> {};

TEST_P(Share, OneFillsAndAllSee) {
  constexpr int kConstructs = 100;
  std::vector<int> values(kConstructs);
  std::vector<std::atomic<int>> firsts(kConstructs);
  std::atomic<int> wrong{0};
  in_region(GetParam(), [&](Thread* thread) {
    for (int i = 0; i < kConstructs; ++i) {
      ShareSlot* slot;
      if (share_begin(thread, slot)) {
        EXPECT_EQ(slot->memory, nullptr);
        slot->data = &values[i];
        slot->memory = calloc(1, 64);
        ++firsts[i];
        share_open(thread);
      }
      if (slot->data != &values[i] || slot->memory == nullptr) ++wrong;
      if (i % 3 == 0)
        share_end(thread);
      else
        loop_end(thread);
    }
  });
  for (auto& first : firsts) EXPECT_EQ(first.load(), 1);
  EXPECT_EQ(wrong.load(), 0);
}

// A thread that leaves a construct by cancellation ends it when it begins the next.
TEST_P(Share, LeftBehindSlotsAreLeft) {
  std::atomic<uint64_t> sum{0};
  for (int region = 0; region < 3; ++region)
    in_region(GetParam(), [&](Thread* thread) {
      for (int i = 0; i < 40; ++i) {
        loop_begin(thread, {space_until<uint64_t>(0, 10, 1, true),
                            {ScheduleKind::dynamic, true, 1}});
        LoopChunk chunk;
        if (i % 2 == 0) continue;
        while (loop_next(thread, chunk)) ++sum;
        loop_end(thread);
      }
    });
  EXPECT_EQ(sum.load(), 3u * 20 * (GetParam() == 1 ? 1 : 10));
}

INSTANTIATE_TEST_SUITE_P(Threads, Share, testing::Values(1u, 2u, 3u, 16u, 64u));

}  // namespace
}  // namespace tulle::omp
