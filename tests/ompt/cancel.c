// SPDX-License-Identifier: Apache-2.0
// A region, a loop, sections and a taskgroup that one thread cancels, and that all others leave where they look. Without
// OMP_CANCELLATION=true nothing is cancelled.
#include <omp.h>
#include <sched.h>

#include "expect.h"

static void cancel_region(void) {
  int came_through = 0;
#pragma omp parallel shared(came_through)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    ++came_through;
  }
  EXPECT_EQ(came_through, 0);
}

static void cancel_loop(void) {
#pragma omp parallel
#pragma omp for schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); ++i) {
    if (i == 0) {
#pragma omp cancel for
    }
    for (;;) {
#pragma omp cancellation point for
      sched_yield();
    }
  }
}

static void cancel_sections(void) {
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    {
#pragma omp cancel sections
    }
  }
}

// The first task goes on when all the others are made, which may not begin before it has ended.
static void cancel_group(void) {
  int all_made = 0, begun = 0;
  __attribute__((unused)) int order;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(all_made) depend(out : order)
    {
      int made = omp_get_num_threads() == 1;
      while (!made) {
        sched_yield();
#pragma omp atomic read
        made = all_made;
      }
#pragma omp cancel taskgroup
    }
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(begun) depend(in : order)
      {
#pragma omp atomic
        ++begun;
      }
    }
#pragma omp atomic write
    all_made = 1;
  }
  EXPECT_EQ(begun, 0);
}

int main(void) {
  if (!omp_get_cancellation()) return 0;
  cancel_region();
  cancel_loop();
  cancel_sections();
  cancel_group();
  return 0;
}
