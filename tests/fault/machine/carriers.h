// SPDX-License-Identifier: Apache-2.0
// How many OS threads carry a team.
#ifndef TULLE_TESTS_CARRIERS_H
#define TULLE_TESTS_CARRIERS_H

#include <omp.h>
#include <sys/syscall.h>

#include "expect.h"

// OS threads that carry members of a team of four, each of which computes for a while.
static int carriers(void) {
  int seen[4], distinct = 0;
#pragma omp parallel num_threads(4)
  {
    double end = omp_get_wtime() + 0.002;
    seen[omp_get_thread_num()] = (int)syscall(SYS_gettid);
    while (omp_get_wtime() < end) {
    }
  }
  for (int i = 0; i < 4; i++) {
    int known = 0;
    for (int j = 0; j < i; j++) known += seen[j] == seen[i];
    distinct += known == 0;
  }
  return distinct;
}

static void expect_carriers(int wanted, int in_a_row) {
  double end = omp_get_wtime() + 60;
  int row = 0, seen = 0;
  while (row < in_a_row) {
    EXPECT(omp_get_wtime() < end, "%d OS threads, not %d", seen, wanted);
    seen = carriers();
    row = seen == wanted ? row + 1 : 0;
    usleep(10000);
  }
}

#endif
