// SPDX-License-Identifier: Apache-2.0
// Doacross nests: an iteration sees what those that it waits for wrote.
#include "omp/worksharing/doacross.h"

#include <gtest/gtest.h>

#include <vector>

#include "in_region.h"

namespace tulle::omp {
namespace {

using test::in_region;

constexpr uint64_t kRows = 70, kColumns = 9;

// Pascal's rule on a grid, modulo 2^64: wrong as soon as one iteration comes too early.
struct Grid {
  std::vector<uint64_t> cells = std::vector<uint64_t>(kRows * kColumns, 0);

  uint64_t& at(uint64_t i, uint64_t j) { return cells[i * kColumns + j]; }
  void compute(uint64_t i, uint64_t j) {
    at(i, j) = (i > 0 ? at(i - 1, j) : 1) + (j > 0 ? at(i, j - 1) : 1) +
               (i > 1 && j + 2 < kColumns ? at(i - 2, j + 2) : 0);
  }
};

Grid serial() {
  Grid grid;
  for (uint64_t i = 0; i < kRows; ++i)
    for (uint64_t j = 0; j < kColumns; ++j) grid.compute(i, j);
  return grid;
}

class Doacross : public testing::TestWithParam<uint32_t> {};

TEST_P(Doacross, KnownSchedules) {
  const Grid expected = serial();
  for (ScheduleKind kind : {ScheduleKind::fixed, ScheduleKind::dynamic, ScheduleKind::guided,
                            ScheduleKind::automatic})
    for (uint64_t chunk : {0, 1, 3, 50}) {
      Grid grid;
      in_region(GetParam(), [&](Thread* thread) {
        const uint64_t counts[] = {kRows, kColumns};
        doacross_loop_begin(thread, counts, 2, {kind, false, chunk});
        LoopChunk part;
        while (loop_next(thread, part))
          for (uint64_t i = part.first; i < part.end; ++i)
            for (uint64_t j = 0; j < kColumns; ++j) {
              const uint64_t above[] = {i - 1, j}, far[] = {i - 2, j + 2}, here[] = {i, j};
              if (i > 0) doacross_loop_wait(thread, above);
              if (i > 1 && j + 2 < kColumns) doacross_loop_wait(thread, far);
              grid.compute(i, j);
              doacross_loop_post(thread, here);
            }
        loop_end(thread);
      });
      ASSERT_EQ(grid.cells, expected.cells) << int(kind) << " " << chunk;
    }
}

// What never posts counts as done when its chunk is.
TEST_P(Doacross, ChunksWithoutSource) {
  std::vector<int> done(40, 0);
  std::atomic<int> wrong{0};
  in_region(GetParam(), [&](Thread* thread) {
    const uint64_t counts[] = {40};
    doacross_loop_begin(thread, counts, 1, {ScheduleKind::dynamic, false, 1});
    LoopChunk part;
    while (loop_next(thread, part)) {
      const uint64_t before[] = {part.first - 1};
      if (part.first > 0) {
        doacross_loop_wait(thread, before);
        if (!done[part.first - 1]) ++wrong;
      }
      done[part.first] = 1;
    }
    loop_end(thread);
  });
  EXPECT_EQ(wrong.load(), 0);
}

// The loop variables count down by 2 from 138, and up by 3 from -4; rows are dealt in turn.
TEST_P(Doacross, UnknownSchedule) {
  const Grid expected = serial();
  Grid grid;
  in_region(GetParam(), [&](Thread* thread) {
    auto row = [](uint64_t i) { return 138 - 2 * int64_t(i); };
    auto column = [](uint64_t j) { return -4 + 3 * int64_t(j); };
    const DoacrossDimension dims[] = {{row(0), row(kRows - 1), -2},
                                      {column(0), column(kColumns - 1), 3}};
    doacross_begin(thread, dims, 2);
    for (uint64_t i = thread->num; i < kRows; i += thread->team->nthreads)
      for (uint64_t j = 0; j < kColumns; ++j) {
        const int64_t here[] = {row(i), column(j)}, above[] = {here[0] + 2, here[1]},
                      far[] = {here[0] + 4, here[1] + 6};
        doacross_wait(thread, above);  // no dependence in the first row
        doacross_wait(thread, far);
        grid.compute(i, j);
        doacross_post(thread, here);
      }
    doacross_end(thread);
  });
  ASSERT_EQ(grid.cells, expected.cells);
}

INSTANTIATE_TEST_SUITE_P(Threads, Doacross, testing::Values(1u, 2u, 3u, 16u, 64u));

}  // namespace
}  // namespace tulle::omp
