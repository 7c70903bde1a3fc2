// SPDX-License-Identifier: Apache-2.0
// Regions of 36 threads inside regions of 36 threads, with barriers and tasks: workers are cores, and
// beside them are the monitor and the OS thread whose TLS block the initial thread's loop runs under.
#include <omp.h>

#include "process.h"

static long members, tasks;
static int most;

static void count_os_threads(void) {
  int now = os_threads(), seen = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
  while (now > seen && !__atomic_compare_exchange_n(&most, &seen, now, 0, __ATOMIC_SEQ_CST,
                                                    __ATOMIC_SEQ_CST)) {
  }
}

static void inner_region(void) {
#pragma omp parallel
  {
#pragma omp atomic
    members++;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task
#pragma omp atomic
      tasks++;
      count_os_threads();
    }
  }
}

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    inner_region();
  }
  EXPECT_EQ(members, 3L * threads * threads);
  EXPECT_EQ(tasks, 3L * threads);
  count_os_threads();
  EXPECT(most <= omp_get_num_procs() + 2, "%d OS threads on %d processors", most,
         omp_get_num_procs());
  return 0;
}
