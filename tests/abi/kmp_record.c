// SPDX-License-Identifier: Apache-2.0
// The entry points by which a compiler has a region's task graph recorded and replayed. Weak: libomp has them
// behind a build option.
#include <omp.h>
#include <stdint.h>

#include "expect.h"

enum { SIDE = 16, TIMES = 9, NOWAIT = 1, RECORD_ANEW = 2 };

int32_t __kmpc_start_record_task(void *location, int32_t gtid, int32_t flags, int32_t number)
    __attribute__((weak));
void __kmpc_end_record_task(void *location, int32_t gtid, int32_t flags, int32_t number)
    __attribute__((weak));
int32_t __kmpc_global_thread_num(void *location);

static unsigned grid[SIDE + 1][SIDE + 1], expected[SIDE + 1][SIDE + 1];
static int runs;

static void fill(unsigned seed, unsigned factor) {
  for (int i = 0; i <= SIDE; i++) grid[i][0] = grid[0][i] = expected[i][0] = expected[0][i] = seed + (unsigned)i;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) expected[i][j] = factor * expected[i - 1][j] + expected[i][j - 1];
}

static void create(unsigned factor) {
  runs++;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) {
#pragma omp task firstprivate(factor) depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
      grid[i][j] = factor * grid[i - 1][j] + grid[i][j - 1];
    }
}

// The region of this number, whose tasks capture `factor`; returns how many times its code has run.
static int repeat(int32_t flags, int32_t number, unsigned seed, unsigned factor, unsigned used) {
  fill(seed, used);
#pragma omp parallel
#pragma omp single
  {
    int32_t gtid = __kmpc_global_thread_num(0);
    int32_t run = __kmpc_start_record_task(0, gtid, flags, number);
    if (run) create(factor);
    __kmpc_end_record_task(0, gtid, flags, number);
    for (int i = 1; i <= SIDE; i++)
      for (int j = 1; j <= SIDE; j++) EXPECT_EQ(grid[i][j], expected[i][j]);
  }
  return runs;
}

int main(void) {
  // A number is its region's, whatever the flag says of waiting; captures are those of the recording.
  for (int r = 0; r < TIMES; r++) EXPECT_EQ(repeat(r % 2 ? NOWAIT : 0, 7, (unsigned)r, 3 + (unsigned)r, 3), 1);
  EXPECT_EQ(repeat(RECORD_ANEW, 7, 5, 11, 11), 2);
  for (int r = 0; r < TIMES; r++) EXPECT_EQ(repeat(0, 7, (unsigned)r, 4, 11), 2);
  EXPECT_EQ(repeat(0, -7, 1, 4, 4), 3);
  EXPECT_EQ(repeat(0, -7, 2, 5, 4), 3);
  return 0;
}
