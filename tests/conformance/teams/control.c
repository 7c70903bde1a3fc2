// SPDX-License-Identifier: Apache-2.0
// nteams-var and teams-thread-limit-var: their routines, and the leagues that they make.
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_num_teams(3);
  EXPECT_EQ(omp_get_max_teams(), 3);
  omp_set_teams_thread_limit(2);
  EXPECT_EQ(omp_get_teams_thread_limit(), 2);
  int teams = 0, count = 0, threads = 0;
#pragma omp teams reduction(+ : teams) reduction(max : count, threads)
  {
    teams++;
    count = omp_get_num_teams();
#pragma omp parallel reduction(max : threads)
    threads = omp_get_thread_limit();
  }
  EXPECT(count >= 1 && count <= 3, "%d teams", count);
  EXPECT_EQ(teams, count);
  EXPECT(threads <= 2, "thread limit %d", threads);
  return 0;
}
