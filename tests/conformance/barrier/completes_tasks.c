// SPDX-License-Identifier: Apache-2.0
// All explicit tasks of a team are complete after a barrier, also those that tasks made while the
// others were already waiting (OpenMP 5.2 §15.3.1).
#include <omp.h>
#include "expect.h"

static int finished;

static void spawn(int depth) {
  if (depth > 0) {
#pragma omp task firstprivate(depth)
    spawn(depth - 1);
#pragma omp task firstprivate(depth)
    spawn(depth - 1);
  }
#pragma omp atomic
  finished++;
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
#pragma omp parallel
  {
    spawn(3);
#pragma omp barrier
    EXPECT_EQ(finished, 15 * n);
#pragma omp barrier
#pragma omp single
    spawn(6);
    EXPECT_EQ(finished, 15 * n + 127);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 20; i++) spawn(1);
    EXPECT_EQ(finished, 15 * n + 127 + 60);
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) spawn(5);
  }
  EXPECT_EQ(finished, 15 * n + 127 + 60 + 63);
  return 0;
}
