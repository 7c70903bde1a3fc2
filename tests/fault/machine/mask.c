// SPDX-License-Identifier: Apache-2.0
// An affinity mask that changes between regions: to one core, and back.
#define _GNU_SOURCE
#include <sched.h>

#include "use_openmp.h"

int main(void) {
  cpu_set_t all, one;
  int n = omp_get_max_threads();
  EXPECT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  for (int round = 0; round < 6; round++) {
    use_openmp(n);
    CPU_ZERO(&one);
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, &all) && seen++ == round % CPU_COUNT(&all)) CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    use_openmp(n);
    if (round == 3) EXPECT_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    use_openmp(2 * n);
    EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  }
  return 0;
}
