// SPDX-License-Identifier: Apache-2.0
// A taskgroup ends when all tasks created in it are complete, descendants included, and waits for
// no others; groups nest (OpenMP 5.2 §15.4).
#include <omp.h>
#include "expect.h"

static int finished;

static void spawn(int depth) {
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task firstprivate(depth)
    spawn(depth - 1);
  }
  if (depth == 0 && omp_get_thread_num() % 3 == 0) usleep(20);
#pragma omp atomic
  finished++;
}

int main(void) {
  int outside = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; round++) {
    finished = 0;
#pragma omp task shared(outside)
    {
#pragma omp atomic
      outside++;
    }
#pragma omp taskgroup
    {
      spawn(4);
#pragma omp taskgroup
      {
#pragma omp task
        spawn(3);
      }
      int so_far;
#pragma omp atomic read
      so_far = finished;
      EXPECT(so_far >= 15, "the inner group left %d", 15 - so_far);
    }
    EXPECT_EQ(finished, 31 + 15);
#pragma omp taskgroup
    {
    }
#pragma omp task
#pragma omp taskgroup
    {
      spawn(2);
    }
#pragma omp taskwait
    EXPECT_EQ(finished, 31 + 15 + 7);
    EXPECT_EQ(outside, round + 1);
  }
  return 0;
}
