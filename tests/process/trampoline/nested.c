// SPDX-License-Identifier: Apache-2.0
// Nested functions whose address is passed: GCC makes code on the stack for them, of members that wait too.
#include <omp.h>
#include "expect.h"

static int apply(int (*function)(int), int value) { return function(value); }
static int (*volatile through)(int (*)(int), int) = apply;

static void check(int number) {
  int base = 100 * number;
  int add(int value) { return base + value; }
  for (int round = 0; round < 3; round++) {
    EXPECT_EQ(through(add, round), base + round);
#pragma omp barrier
  }
}

static int in_task(int number) {
  int twice(int value) { return value * 2 + number; }
  int first = through(twice, number);
#pragma omp taskyield
  EXPECT_EQ(through(twice, number), first);
  return first;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
#pragma omp parallel
  check(omp_get_thread_num());
  int seen = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(i) shared(seen)
    {
      int result = in_task(i);
#pragma omp atomic
      seen += result;
    }
  }
  EXPECT_EQ(seen, 3 * 4950);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(3)
  check(omp_get_thread_num());
  return 0;
}
