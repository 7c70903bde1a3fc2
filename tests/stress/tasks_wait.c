// SPDX-License-Identifier: Apache-2.0
// Each thread makes a task and goes to a barrier; the tasks spin until all of them have begun. So each thread
// must take one, and none that waits at the barrier before may be kept by one of them.
#include <omp.h>
#include <stdatomic.h>

#include "expect.h"

enum { ROUNDS = 50 };

static atomic_int begun;

int main(void) {
  int n = omp_get_max_threads();
#pragma omp parallel
  for (int round = 1; round <= ROUNDS; round++) {
#pragma omp task firstprivate(round)
    {
      atomic_fetch_add(&begun, 1);
      while (atomic_load(&begun) < n * round) {}
    }
#pragma omp barrier
  }
  EXPECT_EQ(atomic_load(&begun), n * ROUNDS);
  return 0;
}
