// SPDX-License-Identifier: Apache-2.0
// Untied tasks as Clang builds them: parts that end at taskyield, taskwait and at the creation of
// other tasks; also undeferred ones.
#include <omp.h>

#include "expect.h"

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task untied shared(a)
  a = fib(n - 1);
#pragma omp task untied shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static int total;

static void many_parts(void) {
#pragma omp task untied
  {
    int sum = 0;
    for (int i = 0; i < 50; i++) {
      sum += i;
#pragma omp taskyield
    }
#pragma omp task untied if (0) shared(sum)
    {
#pragma omp taskyield
      sum += 1000;
    }
    int inner = 0;
#pragma omp task untied shared(inner)
    {
#pragma omp taskyield
      inner = 7;
    }
#pragma omp taskwait
#pragma omp atomic
    total += sum + inner;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    EXPECT_EQ(fib(20), 6765);
    for (int i = 0; i < 100; i++) many_parts();
#pragma omp taskgroup
    for (int i = 0; i < 100; i++) many_parts();
  }
  EXPECT_EQ(total, 200 * (1225 + 1000 + 7));
  return 0;
}
