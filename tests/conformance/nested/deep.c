// SPDX-License-Identifier: Apache-2.0
// A binary tree of regions, six levels of two threads; a chain of a hundred regions of one thread;
// recursion through nested teams of changing size.
#include <omp.h>
#include "expect.h"

static long tree(int depth) {
  if (depth == 0) return 1;
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    EXPECT_EQ(omp_get_num_threads(), 2);
    sum += tree(depth - 1);
  }
  return sum;
}

static int chain(int depth) {
  int below = 0;
  EXPECT_EQ(omp_get_level(), 100 - depth);
  if (depth > 0) {
#pragma omp parallel num_threads(1) shared(below)
    below = 1 + chain(depth - 1);
  }
  EXPECT_EQ(omp_get_level(), 100 - depth);
  return below;
}

static long factorial(int size) {
  if (size < 2) return 1;
  long product = 0;
#pragma omp parallel num_threads(size) reduction(+ : product)
  if (omp_get_thread_num() == size - 1) product = size * factorial(size - 1);
  return product;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(8);
  EXPECT_EQ(chain(100), 100);
  EXPECT_EQ(tree(omp_get_max_threads() < 64 ? 5 : 6), omp_get_max_threads() < 64 ? 32 : 64);
  EXPECT_EQ(factorial(6), 720);
  EXPECT_EQ(omp_get_level(), 0);
  return 0;
}
