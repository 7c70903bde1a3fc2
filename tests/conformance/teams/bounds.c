// SPDX-License-Identifier: Apache-2.0
// num_teams with a lower and an upper bound (OpenMP 5.2 §10.2.1).
#include <omp.h>
#include "expect.h"

static void run(int lower, int upper) {
  int teams = 0, count = 0;
#pragma omp teams num_teams(lower : upper) thread_limit(1) reduction(+ : teams) reduction(max : count)
  {
    teams++;
    count = omp_get_num_teams();
#pragma omp parallel
    EXPECT_EQ(omp_get_num_threads(), 1);
  }
  EXPECT_EQ(teams, count);
  EXPECT(teams >= lower && teams <= upper, "%d teams, not %d to %d", teams, lower, upper);
}

int main(void) {
  run(2, 5);
  run(1, 1);
  run(7, 7);
  return 0;
}
