// SPDX-License-Identifier: Apache-2.0
// Work that shows that regions, nested regions and tasks are whole.
#ifndef TULLE_TESTS_USE_OPENMP_H
#define TULLE_TESTS_USE_OPENMP_H

#include <omp.h>

#include "expect.h"
#include "fibonacci.h"

// Loops, barriers, a nested region and tasks in a team of `threads`.
__attribute__((unused)) static void use_openmp(int threads) {
  int sum = 0, members = 0, inner = 0;
  long fib = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(threads) reduction(+ : sum, members, inner)
  {
    members++;
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < 1000; i++) sum += i;
#pragma omp parallel num_threads(3) reduction(+ : inner)
    {
      inner++;
#pragma omp barrier
    }
#pragma omp single
    fib = fibonacci(10);
  }
  EXPECT_EQ(sum, 499500);
  EXPECT_EQ(members, threads);
  EXPECT_EQ(inner, 3 * threads);
  EXPECT_EQ(fib, 55);
  EXPECT_EQ(omp_get_level(), 0);
}

#endif
