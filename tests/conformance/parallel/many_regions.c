// SPDX-License-Identifier: Apache-2.0
// Thousands of regions, back to back and with combined constructs: nobody misses one or runs one
// twice, and what members wrote is visible after each join.
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), regions = n > 4 ? 100 : 1000;
  int *slots = calloc(n, sizeof *slots);
  for (int region = 1; region <= regions; region++) {
#pragma omp parallel
    slots[omp_get_thread_num()] += region;
    int wanted = region * (region + 1) / 2;
    for (int i = 0; i < n; i++) EXPECT_EQ(slots[i], wanted);
  }
  for (int region = 0; region < regions; region++) {
    int covered = 0;
#pragma omp parallel for reduction(+ : covered)
    for (int i = 0; i < 10; i++) covered += i;
    EXPECT_EQ(covered, 45);
  }
  free(slots);
  return 0;
}
