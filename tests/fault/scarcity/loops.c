// SPDX-License-Identifier: Apache-2.0
// Billions of iterations and more, up to all that a type can count, under each schedule, as loops and
// as taskloops: each runs once. Compilers turn the loops over a chunk into sums.
#include <limits.h>
#include <omp.h>

#include "expect.h"

#define RUN(type, kind, from, to, step, expected)                                              \
  do {                                                                                         \
    unsigned long count = 0;                                                                   \
    PRAGMA(omp parallel for num_threads(threads) schedule kind reduction(+ : count))           \
    for (type i = (from); i < (to); i += (step)) count++;                                      \
    EXPECT(count == (expected), "schedule" #kind ": %lu iterations of %lu", count,             \
           (unsigned long)(expected));                                                         \
  } while (0)

// Compilers divide static schedules themselves, in the type of the variable.
#define SWEEP(type, from, to, step, expected, chunk)      \
  do {                                                    \
    RUN(type, (static), from, to, step, expected);        \
    RUN(type, (static, chunk), from, to, step, expected); \
    BY_RUNTIME(type, from, to, step, expected, chunk);    \
  } while (0)

#define BY_RUNTIME(type, from, to, step, expected, chunk)             \
  do {                                                                \
    RUN(type, (dynamic, chunk), from, to, step, expected);            \
    RUN(type, (monotonic : dynamic, chunk), from, to, step, expected); \
    RUN(type, (guided, chunk), from, to, step, expected);             \
  } while (0)

static void taskloops(int threads) {
  unsigned long count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop reduction(+ : count) num_tasks(100)
  for (int i = 0; i < 2000000000; i += 1000) count++;
  EXPECT(count == 2000000, "%lu iterations", count);
  count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop reduction(+ : count) grainsize(1000)
  for (long i = -(1L << 61); i < (1L << 61); i += 1L << 42) count++;
  EXPECT(count == 1UL << 20, "%lu iterations", count);
}

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_dynamic(0);
  SWEEP(int, 0, 2000000000, 1, 2000000000UL, 1000000);
  BY_RUNTIME(int, INT_MIN, INT_MAX, 1, UINT_MAX, 10000000);
  SWEEP(long, 0, 1L << 33, 1, 1UL << 33, 100000000);
  SWEEP(long, -(1L << 61), 1L << 61, 1L << 42, 1UL << 20, 1000);
  BY_RUNTIME(long, LONG_MIN, LONG_MAX, 1, ULONG_MAX, 1000000000000000000);
  SWEEP(unsigned long, 0, 3UL << 62, 1UL << 42, 3UL << 20, 1000);
  taskloops(threads);
  puts("went on");
  return 0;
}
