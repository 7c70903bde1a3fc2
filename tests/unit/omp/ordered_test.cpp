// SPDX-License-Identifier: Apache-2.0
// Ordered regions run in the order of the trips, whatever the schedule and the number of threads.
#include "omp/worksharing/ordered.h"

#include <gtest/gtest.h>

#include <vector>

#include "in_region.h"
#include "omp/worksharing/loop.h"

namespace tulle::omp {
namespace {

using test::in_region;

class Ordered : public testing::TestWithParam<uint32_t> {};

template <class Body>
void run_ordered(uint32_t threads, uint64_t trips, Schedule schedule, Body body) {
  in_region(threads, [&](Thread* thread) {
    loop_begin(thread, {space_until<uint64_t>(0, trips, 1, true), schedule, true});
    LoopChunk chunk;
    while (loop_next(thread, chunk))
      for (uint64_t i = chunk.first; i < chunk.end; ++i) body(thread, i);
    loop_end(thread);
  });
}

TEST_P(Ordered, InTheOrderOfTrips) {
  for (ScheduleKind kind : {ScheduleKind::fixed, ScheduleKind::dynamic, ScheduleKind::guided})
    for (uint64_t chunk : {0, 1, 4}) {
      std::vector<uint64_t> seen;
      run_ordered(GetParam(), 150, {kind, false, chunk}, [&](Thread* thread, uint64_t i) {
        ordered_begin(thread);
        seen.push_back(i);
        ordered_end(thread);
      });
      ASSERT_EQ(seen.size(), 150u) << int(kind) << " " << chunk;
      for (uint64_t i = 0; i < 150; ++i) ASSERT_EQ(seen[i], i) << int(kind) << " " << chunk;
    }
}

TEST_P(Ordered, SomeTripsHaveNoRegion) {
  for (ScheduleKind kind : {ScheduleKind::fixed, ScheduleKind::dynamic, ScheduleKind::guided}) {
    std::vector<uint64_t> seen;
    run_ordered(GetParam(), 100, {kind, false, 2}, [&](Thread* thread, uint64_t i) {
      if (i % 3 != 0) return;
      ordered_begin(thread);
      seen.push_back(i);
      ordered_end(thread);
    });
    ASSERT_EQ(seen.size(), 34u);
    for (uint64_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], 3 * i);
  }
}

TEST_P(Ordered, LoopsFollowEachOtherWithoutABarrier) {
  constexpr int kLoops = 30;
  std::vector<uint64_t> seen[kLoops];
  in_region(GetParam(), [&](Thread* thread) {
    for (auto& list : seen) {
      loop_begin(thread, {space_until<uint64_t>(0, 20, 1, true), {ScheduleKind::dynamic, false, 1},
                          true});
      LoopChunk chunk;
      while (loop_next(thread, chunk))
        for (uint64_t i = chunk.first; i < chunk.end; ++i) {
          ordered_begin(thread);
          list.push_back(i);
          ordered_end(thread);
        }
      loop_end(thread);
    }
  });
  for (auto& list : seen) {
    ASSERT_EQ(list.size(), 20u);
    for (uint64_t i = 0; i < 20; ++i) ASSERT_EQ(list[i], i);
  }
}

TEST(OrderedOutside, HasNoEffect) {
  in_region(2, [](Thread* thread) {
    ordered_begin(thread);
    ordered_end(thread);
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, Ordered, testing::Values(1u, 2u, 3u, 16u, 64u));

}  // namespace
}  // namespace tulle::omp
