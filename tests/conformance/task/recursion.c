// SPDX-License-Identifier: Apache-2.0
// Recursive tasks that wait for their children: fib, a tree of untied tasks, and a deep chain.
#include <omp.h>
#include "expect.h"
#include "fibonacci.h"

static long tree(int depth) {
  long left = 0, right = 0;
  if (depth == 0) return 1;
#pragma omp task untied shared(left)
  left = tree(depth - 1);
#pragma omp task untied shared(right)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

static int chain(int depth) {
  int below = 0;
  if (depth == 0) return 0;
#pragma omp task shared(below)
  below = chain(depth - 1);
#pragma omp taskwait
  return below + 1;
}

int main(void) {
  long number = 0, leaves = 0;
  int links = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      number = fibonacci(14);
      leaves = tree(9);
      links = chain(200);
    }
#pragma omp barrier
    EXPECT_EQ(fibonacci(6), 8);
  }
  EXPECT_EQ(number, 377);
  EXPECT_EQ(leaves, 512);
  EXPECT_EQ(links, 200);
  return 0;
}
