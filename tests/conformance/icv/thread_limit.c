// SPDX-License-Identifier: Apache-2.0
// thread-limit-var bounds the threads of a contention group: run with OMP_THREAD_LIMIT=6.
#include <omp.h>
#include "expect.h"

int main(void) {
  EXPECT_EQ(omp_get_thread_limit(), 6);
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  int size = 0;
#pragma omp parallel num_threads(4) reduction(max : size)
  size = omp_get_num_threads();
  EXPECT_EQ(size, 4);
  omp_set_dynamic(1);
#pragma omp parallel num_threads(50) reduction(max : size)
  size = omp_get_num_threads();
  EXPECT(size >= 1 && size <= 6, "%d threads", size);
  // Nested regions that are open at the same time share what the outer one leaves.
  omp_set_dynamic(0);
  int open = 0, all = 3;
#pragma omp parallel num_threads(3)
  {
    EXPECT_EQ(omp_get_num_threads(), 3);
#pragma omp barrier
#pragma omp parallel num_threads(4)
    {
#pragma omp master
      {
#pragma omp atomic
        all += omp_get_num_threads() - 1;
#pragma omp atomic
        open++;
        for (int now = 0; now < 3;) {
#pragma omp atomic read
          now = open;
        }
      }
    }
  }
  EXPECT(all > 3 && all <= 6, "%d threads at once", all);
  // They are given back.
#pragma omp parallel num_threads(6) reduction(max : size)
  size = omp_get_num_threads();
  EXPECT_EQ(size, 6);
  return 0;
}
