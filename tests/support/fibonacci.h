// SPDX-License-Identifier: Apache-2.0
// A tree of tasks that wait for their children.
#ifndef TULLE_TESTS_FIBONACCI_H
#define TULLE_TESTS_FIBONACCI_H

static long fibonacci(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

#endif
