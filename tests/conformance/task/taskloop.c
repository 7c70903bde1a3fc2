// SPDX-License-Identifier: Apache-2.0
// taskloop with grainsize, num_tasks, strict, nogroup, collapse, reductions, lastprivate, if, final,
// priority, untied, 64-bit unsigned and downward loops, taskloop simd (OpenMP 5.2 §12.6).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { trips = 431 };

static int seen[trips];

static void verify(const char *what, int wanted) {
  for (int i = 0; i < trips; i++)
    EXPECT(seen[i] == wanted, "%s: iteration %d ran %d times", what, i, seen[i]);
  memset(seen, 0, sizeof seen);
}

#define SWEEP(clauses)                                                  \
  do {                                                                  \
    PRAGMA(omp taskloop clauses)                                        \
    for (int i = 0; i < trips; i++) seen[i]++;                          \
    verify(#clauses, 1);                                                \
    PRAGMA(omp taskloop clauses)                                        \
    for (long i = trips - 1; i >= 0; i--) seen[i]++;                    \
    verify(#clauses " downwards", 1);                                   \
    PRAGMA(omp taskloop clauses)                                        \
    for (unsigned long long i = 1ULL << 63; i < (1ULL << 63) + 3 * trips; i += 3) \
      seen[(i - (1ULL << 63)) / 3]++;                                   \
    verify(#clauses " unsigned", 1);                                    \
  } while (0)

static void check_grain(void) {
  int first[trips], sizes = 0;
#pragma omp taskloop grainsize(20) shared(first) reduction(+ : sizes)
  for (int i = 0; i < trips; i++) {
    first[i] = i;
    sizes++;
  }
  EXPECT_EQ(sizes, trips);
#pragma omp taskloop grainsize(1000)
  for (int i = 0; i < trips; i++) seen[i] = omp_get_thread_num();
  for (int i = 0; i < trips; i++) EXPECT_EQ(seen[i], seen[0]);
  memset(seen, 0, sizeof seen);
}

static void check_results(void) {
  int last = -1, sum = 0, product[2] = {0, 0}, first = 9;
#pragma omp taskloop num_tasks(13) lastprivate(last) reduction(+ : sum, product) firstprivate(first)
  for (int i = 0; i < trips; i++) {
    last = i;
    sum += i + first - 9;
    product[i % 2]++;
  }
  EXPECT_EQ(last, trips - 1);
  EXPECT_EQ(sum, trips * (trips - 1) / 2);
  EXPECT_EQ(product[0], (trips + 1) / 2);
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp taskloop in_reduction(+ : sum) nogroup grainsize(5)
    for (int i = 0; i < trips; i++) sum += 1;
  }
  EXPECT_EQ(sum, trips * (trips - 1) / 2 + trips);
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < trips; i++) seen[i]++;
  }
  verify("nogroup", 1);
#pragma omp taskloop collapse(2) num_tasks(7)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++) seen[i * 21 + j]++;
  for (int i = 0; i < 420; i++) EXPECT_EQ(seen[i], 1);
  memset(seen, 0, sizeof seen);
#pragma omp taskloop simd grainsize(16) reduction(max : last)
  for (int i = 0; i < trips; i++) {
    seen[i]++;
    last = last > 2 * i ? last : 2 * i;
  }
  EXPECT_EQ(last, 2 * (trips - 1));
  verify("simd", 1);
#pragma omp taskloop
  for (int i = 5; i < 5; i++) seen[0]++;
  verify("no trips", 0);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    SWEEP();
    SWEEP(grainsize(1));
    SWEEP(grainsize(50));
    SWEEP(num_tasks(4));
    SWEEP(num_tasks(10000));
    SWEEP(untied priority(3));
    SWEEP(if (0) num_tasks(3));
    SWEEP(final(1) grainsize(30));
    SWEEP(mergeable grainsize(30));
    check_grain();
    check_results();
  }
#pragma omp parallel master taskloop grainsize(9)
  for (int i = 0; i < trips; i++) seen[i]++;
  verify("parallel master taskloop", 1);
  SWEEP(num_tasks(3));
  return 0;
}
