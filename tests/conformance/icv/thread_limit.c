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
  int alive = 0, most = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp parallel num_threads(4) shared(alive, most)
    {
      int now;
#pragma omp atomic capture
      now = ++alive;
#pragma omp critical
      if (now > most) most = now;
      usleep(500);
#pragma omp atomic
      alive--;
    }
  }
  EXPECT(most <= 6, "%d threads at once", most);
  return 0;
}
