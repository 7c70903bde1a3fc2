// SPDX-License-Identifier: Apache-2.0
// Cross-iteration dependences: a chain, a wavefront and a backward vector give the sequential
// values under each schedule (OpenMP 5.2 §15.9.6).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { chain = 40, rows = 7, columns = 6 };

static long values[chain];
static long grid[rows + 1][columns + 2], wanted[rows + 1][columns + 2];

// Clang up to 22 passes one past the last iteration as a dimension's bound, so that a sink beyond the
// end of an inner loop is waited for in vain.
#ifdef __clang__
#define WAIT_FOR_NEIGHBOURS PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1))
#define UPPER_RIGHT 0
#else
#define WAIT_FOR_NEIGHBOURS PRAGMA(omp ordered depend(sink : i - 1, j + 1) depend(sink : i, j - 1))
#define UPPER_RIGHT 1
#endif

#define CHECK_CHAIN(clause)                                            \
  do {                                                                 \
    memset(values, 0, sizeof values);                                  \
    values[0] = values[1] = 1;                                         \
    _Pragma(clause) for (int i = 2; i < chain; i++) {                  \
      _Pragma("omp ordered depend(sink : i - 1) depend(sink : i - 2)") \
      values[i] = (values[i - 1] + values[i - 2]) % 1000003;           \
      _Pragma("omp ordered depend(source)")                            \
    }                                                                  \
    verify_chain(clause);                                              \
  } while (0)

#define CHECK_WAVE(clause)                                                              \
  do {                                                                                  \
    memset(grid, 0, sizeof grid);                                                       \
    for (int j = 0; j < columns + 2; j++) grid[0][j] = j;                               \
    _Pragma(clause) for (int i = 1; i <= rows; i++) for (int j = 1; j <= columns; j++) { \
      WAIT_FOR_NEIGHBOURS                                                               \
      grid[i][j] = (grid[i - 1][j] + grid[i - 1][j + UPPER_RIGHT] + grid[i][j - 1] + 1) % 1000003; \
      _Pragma("omp ordered depend(source)")                                             \
    }                                                                                   \
    EXPECT(memcmp(grid, wanted, sizeof grid) == 0, "after %s", clause);                 \
  } while (0)

static void verify_chain(const char *clause) {
  long before = 1, last = 1;
  for (int i = 2; i < chain; i++) {
    long sum = (before + last) % 1000003;
    EXPECT(values[i] == sum, "%s: element %d is %ld, not %ld", clause, i, values[i], sum);
    before = last;
    last = sum;
  }
}

static void check_wide(void) {
  unsigned long long start = (1ULL << 63) - 30, order = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 2)
  for (unsigned long long i = start; i < start + 90; i += 3) {
#pragma omp ordered depend(sink : i - 3)
    EXPECT_EQ(order, (i - start) / 3);
    order++;
#pragma omp ordered depend(source)
  }
  EXPECT_EQ(order, 30);
  order = 0;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (long i = 50; i > -50; i -= 5) {
#pragma omp ordered depend(sink : i + 5)
    EXPECT_EQ(order, (50 - i) / 5);
    order++;
#pragma omp ordered depend(source)
  }
  EXPECT_EQ(order, 20);
}

int main(void) {
  for (int j = 0; j < columns + 2; j++) wanted[0][j] = j;
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= columns; j++)
      wanted[i][j] = (wanted[i - 1][j] + wanted[i - 1][j + UPPER_RIGHT] + wanted[i][j - 1] + 1) % 1000003;
  CHECK_CHAIN("omp parallel for ordered(1)");
  CHECK_CHAIN("omp parallel for ordered(1) schedule(static, 1)");
  CHECK_CHAIN("omp parallel for ordered(1) schedule(dynamic)");
  CHECK_CHAIN("omp parallel for ordered(1) schedule(dynamic, 3)");
  CHECK_CHAIN("omp parallel for ordered(1) schedule(guided)");
  CHECK_CHAIN("omp parallel for ordered(1) schedule(runtime)");
  CHECK_WAVE("omp parallel for ordered(2)");
  CHECK_WAVE("omp parallel for ordered(2) schedule(static, 1)");
  CHECK_WAVE("omp parallel for ordered(2) schedule(dynamic, 1)");
  CHECK_WAVE("omp parallel for ordered(2) schedule(guided)");
  CHECK_WAVE("omp parallel for collapse(2) ordered(2) schedule(dynamic, 2)");
  check_wide();
  return 0;
}
