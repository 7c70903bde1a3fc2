// SPDX-License-Identifier: Apache-2.0
// Members that wait for each other in blocking sections (tulle/blocking.h), in pipes, each for the one after
// it: at the begin of a region, after a barrier where all have frames that wait, and in nested regions. The
// monitor hardly looks in this test, so only what a section says brings the next member on.
#include <errno.h>
#include <omp.h>
#include <tulle/blocking.h>
#include <unistd.h>
#include "expect.h"

enum { rounds = 20 };

static int pipes[64 + 1][2];

static void wait_for(int link) {
  char byte = 0;
  errno = 77;
  tulle_blocking_begin();
  tulle_blocking_begin();
  EXPECT_EQ(errno, 77);
  EXPECT_EQ(read(pipes[link][0], &byte, 1), 1);
  tulle_blocking_end();
  errno = 78;
  tulle_blocking_end();
  EXPECT_EQ(errno, 78);
  EXPECT_EQ(byte, 'x');
}

static void pass(int link) { EXPECT_EQ(write(pipes[link][1], "x", 1), 1); }

static void meet(int self, int n) {
  if (self + 1 < n) wait_for(self + 1);
  EXPECT_EQ(omp_get_thread_num(), self);
  if (self > 0) pass(self);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
  for (int i = 0; i <= n; i++) EXPECT_EQ(pipe(pipes[i]), 0);
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(n)
    {
      meet(omp_get_thread_num(), n);
#pragma omp barrier
      meet(omp_get_thread_num(), n);
    }
    pass(n);
    wait_for(n);  // outside of regions
  }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(n)
  meet(omp_get_thread_num(), n);
  return 0;
}
