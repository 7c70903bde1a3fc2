// SPDX-License-Identifier: Apache-2.0
// Tasks of a team of one thread, nested in a larger team, run at a wait or at the end of its region:
// they find the thread's threadprivate data. So do tasks outside of all regions.
#include <omp.h>
#include "expect.h"

static int own;
#pragma omp threadprivate(own)

static void inner_region(int value) {
#pragma omp parallel num_threads(1)
  {
    EXPECT_EQ(own, value);
#pragma omp task
    EXPECT_EQ(own, value);
#pragma omp taskwait
#pragma omp task
    {
#pragma omp task
      EXPECT_EQ(own, value);
      EXPECT_EQ(own, value);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(4);
  for (int round = 0; round < 100; round++) {
#pragma omp parallel
    {
      const int value = own = 100 + omp_get_thread_num();
      inner_region(value);
#pragma omp barrier
      EXPECT_EQ(own, value);
    }
    own = 50;
#pragma omp taskgroup
    for (int i = 0; i < 10; i++) {
#pragma omp task
      EXPECT_EQ(own, 50);
    }
  }
}
