// SPDX-License-Identifier: Apache-2.0
// Tasks that may begin only below a tied task that waits: their way up leads through the records of
// tasks that are complete, and tasks of higher priority that may not begin stand before them.
#include <omp.h>
#include "expect.h"

static int count;

static void count_one(void) {
#pragma omp atomic
  count++;
}

// Children complete before grandchildren begin, and new tasks want the records.
static void deep(void) {
#pragma omp taskgroup
  {
#pragma omp task
#pragma omp task
    for (int i = 0; i < 8; i++) {
#pragma omp task
      for (int k = 0; k < 4; k++) {
#pragma omp task
        count_one();
      }
    }
  }
  EXPECT(count >= 32);
}

static void below_priorities(void) {
#pragma omp task priority(9)
  {
    int before;
#pragma omp atomic read
    before = count;
#pragma omp taskgroup
    {
#pragma omp task
#pragma omp task
      count_one();
    }
    EXPECT(count > before);
  }
  for (int i = 0; i < 8; i++) {
#pragma omp task priority(5)
    count_one();
  }
}

int main(void) {
  for (int round = 0; round < 50; round++) {
    int n = 0;
    count = 0;
#pragma omp parallel
    {
#pragma omp atomic
      n++;
#pragma omp task
      deep();
    }
    EXPECT_EQ(count, 32 * n);
    count = 0;
#pragma omp parallel
#pragma omp single
    below_priorities();
    EXPECT_EQ(count, 9);
  }
  return 0;
}
