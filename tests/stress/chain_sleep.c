// SPDX-License-Identifier: Apache-2.0
// Members that sleep, and members that poll for their neighbour with usleep or sched_yield between
// the looks: the region takes about as long as one sleep, not as the sum.
#include <omp.h>
#include <sched.h>
#include "expect.h"
#include "spin.h"

static int released[64 + 1];

static void run_polling(int n, int yield) {
  for (int i = 0; i <= n; i++) released[i] = i == n;
#pragma omp parallel num_threads(n)
  {
    int self = omp_get_thread_num();
    while (!__atomic_load_n(&released[self + 1], __ATOMIC_ACQUIRE)) {
      if (yield)
        sched_yield();
      else
        usleep(100);
    }
    set_flag(&released[self]);
  }
  EXPECT_EQ(released[0], 1);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  double limit = 0.02 * n / 2 + 0.5;
  run_polling(n, 0);
  run_polling(n, 1);
  // How soon depends on what else the machine does; the test's own time limit says that it is at last.
  for (double took = limit; took >= limit;) {
    double start = omp_get_wtime();
#pragma omp parallel num_threads(n)
    {
      usleep(20000);
#pragma omp barrier
    }
    took = omp_get_wtime() - start;
  }
  return 0;
}
