// SPDX-License-Identifier: Apache-2.0
// A task for each number, which is some nanoseconds of work.
#include <stdio.h>

static long sum(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = sum(n - 1);
#pragma omp task shared(b)
  b = sum(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long total = 0;
#pragma omp parallel
#pragma omp single
  total = sum(25);
  return printf("%ld\n", total) < 0;
}
