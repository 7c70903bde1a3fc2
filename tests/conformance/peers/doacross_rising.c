// SPDX-License-Identifier: Apache-2.0
// Loops with dependences between iterations: each thread gets its chunks in rising order, whatever the schedule,
// and the first iteration that is left is always somebody's (OpenMP 5.2 §11.5.1; libomp 21 deals out ranges).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { kTrips = 500 };

static int order[kTrips], taken;

// The thread that has a chunk low in the loop waits for what is before; the others are kept from going far.
static void rising(void) {
  taken = 0;
#pragma omp parallel
  {
    int last = -1;
#pragma omp for ordered(1) schedule(dynamic, 2)
    for (int i = 0; i < kTrips; i++) {
      EXPECT(i > last, "iteration %d after %d", i, last);
      last = i;
      order[__atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST)] = i;
#pragma omp ordered depend(sink : i - 1)
      order[0] += 0;
#pragma omp ordered depend(source)
    }
  }
  EXPECT_EQ(taken, kTrips);
}

int main(void) {
  omp_set_dynamic(0);
  int threads = omp_get_max_threads();
  for (int round = 0; round < 20; round++) {
    rising();
    // Chunks are handed out from the front: an iteration begins at most a chunk of each thread too early.
    for (int i = 0; i < kTrips; i++)
      EXPECT(order[i] - i <= 2 * threads + 2 && i - order[i] <= 2 * threads + 2,
             "iteration %d was the %dth to begin", order[i], i);
  }
  return 0;
}
