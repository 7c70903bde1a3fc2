// SPDX-License-Identifier: Apache-2.0
// A library whose threads meet at a barrier of its own, which polls; called by all threads of the program.
#include <stdatomic.h>

#include "work.h"

static void meet(atomic_int* come, int threads, int* phase) {
  atomic_fetch_add(come, 1);
  ++*phase;
  while (atomic_load(come) < threads * *phase) {
  }
}

static void library(void) {
  atomic_int come = 0;
#pragma omp parallel num_threads(4)
  {
    const int threads = omp_get_num_threads();
    int phase = 0;
    for (int i = 0; i < 4; ++i) {
      work_us(50);
      meet(&come, threads, &phase);
    }
  }
}

int main(void) {
  turns_per_ms();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 20; ++i) library();
  return 0;
}
