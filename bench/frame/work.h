// SPDX-License-Identifier: Apache-2.0
// Work of a given length for the bodies of tasks: a chain of multiplications, calibrated to nanoseconds.
#ifndef TULLE_BENCH_WORK_H
#define TULLE_BENCH_WORK_H

#include <omp.h>

#include "measure.h"

// Steps of the chain in a nanosecond; 0 before calibrate().
extern double steps_per_ns;

// Where each thread's chain stands. Consecutive tasks of a thread continue the same chain, so that the
// processor cannot hide one task's work behind the next one's creation.
extern Counter links[MAX_THREADS];

void calibrate(void);

static inline int64_t busy(int64_t x, long n) {
  for (long i = 0; i < n; i++) {
    x = (int64_t)((uint64_t)x * 6364136223846793005u + 1442695040888963407u);
    KEEP(x);
  }
  return x;
}

// So many steps in a task, which is counted for the thread that runs it.
static inline void task_body(long steps) {
  int me = omp_get_thread_num();
  links[me].n = busy(links[me].n, steps);
  counters[me].n++;
}

#endif
