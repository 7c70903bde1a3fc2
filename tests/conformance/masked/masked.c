// SPDX-License-Identifier: Apache-2.0
// master and masked run on the primary thread, masked filter(t) on thread t, and neither implies a
// barrier (OpenMP 5.2 §10.5).
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), counts[4] = {0}, released = 0;
#pragma omp parallel
  {
#pragma omp masked
    {
      EXPECT_EQ(omp_get_thread_num(), 0);
      counts[0]++;
    }
#pragma omp masked filter(n - 1)
    {
      EXPECT_EQ(omp_get_thread_num(), n - 1);
      counts[1]++;
    }
#pragma omp masked filter(n + 3)
    counts[2]++;
#pragma omp master
    counts[3]++;
    int own = omp_get_thread_num() % 3;
#pragma omp masked filter(own)
    EXPECT(omp_get_thread_num() < 3, "thread %d ran it", omp_get_thread_num());
#pragma omp masked
    {
      int seen;
      do {
#pragma omp atomic read
        seen = released;
        if (seen < n - 1) usleep(50);
      } while (seen < n - 1);
    }
    if (omp_get_thread_num() != 0) {
#pragma omp atomic
      released++;
    }
  }
  EXPECT_EQ(counts[0], 1);
  EXPECT_EQ(counts[1], 1);
  EXPECT_EQ(counts[2], 0);
  EXPECT_EQ(counts[3], 1);
  return 0;
}
