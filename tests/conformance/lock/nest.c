// SPDX-License-Identifier: Apache-2.0
// Nestable locks: the owning task may set them again, test returns the new depth, the last unset
// frees them (OpenMP 5.2 §18.9).
#include <omp.h>
#include "expect.h"

static void check_depth(omp_nest_lock_t *lock) {
  int inside = 0;
  long total = 0;
  int n = 0;
#pragma omp parallel reduction(+ : n)
  {
    n++;
    for (int i = 0; i < 30; i++) {
      omp_set_nest_lock(lock);
      EXPECT_EQ(inside++, 0);
      EXPECT_EQ(omp_test_nest_lock(lock), 2);
      omp_set_nest_lock(lock);
      EXPECT_EQ(omp_test_nest_lock(lock), 4);
      total++;
      for (int d = 0; d < 3; d++) omp_unset_nest_lock(lock);
      EXPECT_EQ(--inside, 0);
      omp_unset_nest_lock(lock);
    }
    int depth = 0;
    while ((depth = omp_test_nest_lock(lock)) == 0) usleep(10);
    EXPECT_EQ(depth, 1);
    omp_unset_nest_lock(lock);
  }
  EXPECT_EQ(total, 30 * n);
}

int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  check_depth(&lock);
  omp_destroy_nest_lock(&lock);
  return 0;
}
