// SPDX-License-Identifier: Apache-2.0
// masked joined with taskloop, simd and parallel, with and without filter (OpenMP 5.2 §17).
// clang 22 loses the filter of those with taskloop.
#include <omp.h>
#include "expect.h"

enum { trips = 500 };

static int seen[trips];

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), sum = 0, last = -1, masked = 0;
#pragma omp parallel
  {
#pragma omp masked taskloop filter(n - 1)
    for (int i = 0; i < trips; i++) seen[i]++;
#pragma omp barrier
#pragma omp masked taskloop simd grainsize(7)
    for (int i = 0; i < trips; i++) seen[i]++;
  }
#pragma omp parallel masked taskloop filter(n / 2) reduction(+ : sum) num_tasks(9)
  for (int i = 0; i < trips; i++) sum += i;
#pragma omp parallel masked taskloop simd lastprivate(last)
  for (int i = 0; i < trips; i++) {
    seen[i]++;
    last = i;
  }
#pragma omp parallel masked filter(n - 1)
  {
    EXPECT_EQ(omp_get_thread_num(), n - 1);
    masked++;
  }
#ifndef __clang__
#pragma omp parallel masked taskloop filter(n)
  for (int i = 0; i < trips; i++) seen[i] = -1000;
#endif
  EXPECT_EQ(masked, 1);
  EXPECT_EQ(sum, trips * (trips - 1) / 2);
  EXPECT_EQ(last, trips - 1);
  for (int i = 0; i < trips; i++) EXPECT_EQ(seen[i], 3);
  return 0;
}
