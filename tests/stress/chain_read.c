// SPDX-License-Identifier: Apache-2.0
// Thread i blocks in read() on a pipe that thread i + 1 writes to: flat, after a barrier, and in
// nested teams.
#include <omp.h>
#include "expect.h"

static int pipes[64 + 1][2];

static void wait_for(int i) {
  int token = -1;
  EXPECT_EQ(read(pipes[i][0], &token, sizeof token), sizeof token);
  EXPECT_EQ(token, i);
}

static void release(int i) { EXPECT_EQ(write(pipes[i][1], &i, sizeof i), sizeof i); }

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : n >= 4 ? 2 : 1, outer = n / inner;
  for (int i = 0; i <= n; i++) EXPECT_EQ(pipe(pipes[i]), 0);
  for (int round = 0; round < 3; round++) {
    release(n);
#pragma omp parallel num_threads(n)
    {
      int self = omp_get_thread_num();
      if (round > 0) {
#pragma omp barrier
      }
      wait_for(self + 1);
      EXPECT_EQ(omp_get_thread_num(), self);
      release(self);
    }
    wait_for(0);
    release(n);
#pragma omp parallel num_threads(outer)
    {
      int team = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
      {
        int place = team * inner + omp_get_thread_num();
        wait_for(place + 1);
        release(place);
      }
    }
    wait_for(0);
  }
  return 0;
}
