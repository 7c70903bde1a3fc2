// SPDX-License-Identifier: Apache-2.0
// Work that must come out right, or end with a message of the runtime, while a resource runs out:
// loops, barriers, nested teams, tasks, dependences. Teams may be smaller than asked for. A process
// that ends by abort() must have said why.
#include <pthread.h>

#include "use_openmp.h"

__attribute__((weak)) void arm_failures(int on);

static void sum_up(int threads) {
  int sum = 0, members = 0, arrived = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum, members)
  {
    members++;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 300; i++) sum += i;
#pragma omp atomic
    arrived++;
#pragma omp barrier
    EXPECT_EQ(arrived, omp_get_num_threads());
  }
  EXPECT_EQ(sum, 44850);
  EXPECT(members >= 1 && members <= threads, "%d members of %d", members, threads);
}

static void nest(void) {
  int inner = 0, expected = 0;
#pragma omp parallel num_threads(4) reduction(+ : inner, expected)
  {
#pragma omp parallel num_threads(4) reduction(+ : inner)
    {
      inner++;
#pragma omp barrier
#pragma omp single
      expected += omp_get_num_threads();
    }
  }
  EXPECT_EQ(inner, expected);
}

static void depend(void) {
  int chain[8] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 400; i++) {
#pragma omp task depend(inout : chain[i % 8]) firstprivate(i)
    chain[i % 8] = chain[i % 8] * 3 % 1000 + i;
  }
  for (int c = 0; c < 8; c++) {
    int expected = 0;
    for (int i = c; i < 400; i += 8) expected = expected * 3 % 1000 + i;
    EXPECT_EQ(chain[c], expected);
  }
}

int main(void) {
  int n = omp_get_max_threads(), fib = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  if (arm_failures != NULL) arm_failures(1);
  sum_up(n);
  sum_up(2 * n);
  nest();
#pragma omp parallel num_threads(n)
#pragma omp single
  fib = fibonacci(12);
  EXPECT_EQ(fib, 144);
  depend();
  sum_up(n);
  if (arm_failures != NULL) arm_failures(0);
  puts("went on");
  return 0;
}
