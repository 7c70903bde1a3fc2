// SPDX-License-Identifier: Apache-2.0
// KMP_AFFINITY without a type leaves OMP_PLACES and OMP_PROC_BIND in force (libomp). With reset who encountered
// an outermost region is bound to nothing after it.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <string.h>
#include "expect.h"

static int cpus(void) {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return CPU_COUNT(&set);
}

int main(void) {
  omp_set_dynamic(0);
  int before = cpus(), reset = strstr(getenv("KMP_AFFINITY"), "reset") != NULL;
  for (int round = 0; round < 3; round++) {
    int inside[2] = {0};
#pragma omp parallel num_threads(2)
    inside[omp_get_thread_num()] = cpus();
    EXPECT_EQ(inside[0], 1);
    EXPECT_EQ(inside[1], 1);
    EXPECT_EQ(cpus(), reset ? before : 1);
  }
#ifdef __clang__
  const int typed = 5;  // libomp's own number
#else
  const int typed = omp_proc_bind_close;  // libgomp knows no such variable
#endif
  EXPECT_EQ((int)omp_get_proc_bind(), getenv("OMP_PROC_BIND") != NULL ? omp_proc_bind_close : typed);
  EXPECT_EQ(omp_get_num_places(), before);
  EXPECT_EQ(omp_get_place_num(), 0);
  return 0;
}
