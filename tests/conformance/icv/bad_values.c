// SPDX-License-Identifier: Apache-2.0
// Values that the environment should not hold are reported and ignored, and the program runs on:
// run with OMP_SCHEDULE=fast OMP_DYNAMIC=maybe OMP_STACKSIZE=12Q OMP_WAIT_POLICY=never
// OMP_MAX_ACTIVE_LEVELS=-2 OMP_THREAD_LIMIT=none OMP_PROC_BIND=perhaps OMP_PLACES={ OMP_NUM_THREADS=x.
#include <omp.h>
#include "expect.h"

int main(void) {
  EXPECT(omp_get_max_threads() >= 1, "%d", omp_get_max_threads());
  EXPECT(omp_get_max_active_levels() >= 1, "%d", omp_get_max_active_levels());
  EXPECT(omp_get_thread_limit() > 1, "%d", omp_get_thread_limit());
  int sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  EXPECT_EQ(sum, 4950);
  omp_set_num_threads(-3);
  EXPECT(omp_get_max_threads() >= 1, "after a negative number: %d", omp_get_max_threads());
  omp_set_num_threads(0);
  EXPECT(omp_get_max_threads() >= 1, "after zero: %d", omp_get_max_threads());
#pragma omp parallel
  EXPECT(omp_get_num_threads() >= 1, "%d", omp_get_num_threads());
  return 0;
}
