// SPDX-License-Identifier: Apache-2.0
// KMP_HW_SUBSET=1s,1c,1t: the process has one CPU, and what runs its threads keeps to that, also where there
// are more of them.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include "expect.h"

int main(void) {
  EXPECT_EQ(omp_get_num_procs(), 1);
  if (getenv("OMP_NUM_THREADS") == NULL) EXPECT_EQ(omp_get_max_threads(), 1);
  int cpus[4], count = omp_get_place_num_procs(0);
  EXPECT_EQ(omp_get_num_places(), 1);
  EXPECT_EQ(count, 1);
  omp_get_place_proc_ids(0, cpus);
#pragma omp parallel num_threads(4)
  {
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    EXPECT(CPU_COUNT(&mask) == 1 && CPU_ISSET(cpus[0], &mask), "thread %d is elsewhere", omp_get_thread_num());
#pragma omp barrier
  }
  return 0;
}
