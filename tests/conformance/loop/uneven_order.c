// SPDX-License-Identifier: Apache-2.0
// Iterations in rising order, some of which have nothing to do and the next ones much: what a thread sets aside for
// itself while they are short is little once they are long, so that the other threads have their share.
#include <omp.h>
#include <sched.h>
#include "clock.h"
#include "expect.h"

#ifdef __clang__
#define ANY(kind) monotonic : kind
#else
#define ANY(kind) kind
#endif

enum { stripe = 16, iterations = 32 * stripe, asks = iterations / 2 + stripe + 4, most_ahead = stripe };

// The second thread begins when the first one is at `asks`: returns what it gets first.
static int next_beside(void) {
  int begun = 0, next = -1;
#pragma omp parallel num_threads(2)
  {
    int self = omp_get_thread_num();
    while (self == 1 && !__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) sched_yield();
#pragma omp for schedule(ANY(dynamic)) nowait
    for (int i = 0; i < iterations; i++) {
      if (self == 1) {
        if (next == -1) __atomic_store_n(&next, i, __ATOMIC_RELEASE);
        continue;
      }
      if (i / stripe % 2 == 1) compute_for(30e-6);
      if (i != asks) continue;
      __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(&next, __ATOMIC_ACQUIRE) == -1) sched_yield();
    }
  }
  return next;
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++) {
    int next = next_beside();
    EXPECT(next > asks && next <= asks + most_ahead, "%d beside %d", next, (int)asks);
  }
  return 0;
}
