// SPDX-License-Identifier: Apache-2.0
// Loops that test a lock until it is free, with nothing in between. Whoever holds it waits for a lock that
// another thread holds, and gets a core though more threads test than there are cores.
#include <omp.h>

#include "expect.h"

enum { ROUNDS = 20 };

static omp_lock_t lock, inner;
static omp_nest_lock_t nest;
static int counted, counted_nested;

static void hold_for_a_while(int *count) {
  omp_set_lock(&inner);
  (*count)++;
  omp_unset_lock(&inner);
#pragma omp taskyield
}

int main(void) {
  int n = omp_get_max_threads();
  omp_init_lock(&lock);
  omp_init_lock(&inner);
  omp_init_nest_lock(&nest);
#pragma omp parallel
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp barrier
    while (!omp_test_lock(&lock)) {}
    hold_for_a_while(&counted);
    omp_unset_lock(&lock);
    while (!omp_test_nest_lock(&nest)) {}
    hold_for_a_while(&counted_nested);
    omp_unset_nest_lock(&nest);
  }
  EXPECT_EQ(counted, n * ROUNDS);
  EXPECT_EQ(counted_nested, n * ROUNDS);
  return 0;
}
