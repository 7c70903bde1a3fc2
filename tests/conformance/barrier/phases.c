// SPDX-License-Identifier: Apache-2.0
// No thread passes a barrier before all have reached it, and writes before it are visible after it,
// with members that arrive late in turn and in nested teams (OpenMP 5.2 §15.3.1).
#include <omp.h>
#include "expect.h"

enum { phases = 40 };

static void run_phases(int *arrived, int size, int delay) {
  for (int phase = 1; phase <= phases; phase++) {
    int self = omp_get_thread_num();
    if (delay && phase % 10 == 0 && phase / 10 % size == self) usleep(300);
    arrived[self] = phase;
#pragma omp barrier
    for (int i = 0; i < size; i++)
      EXPECT(arrived[i] == phase, "thread %d is in phase %d, not %d", i, arrived[i], phase);
#pragma omp barrier
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), arrived[64] = {0};
#pragma omp parallel
  run_phases(arrived, n, 1);
  int inner = n > 8 ? 4 : n, outer = n / inner;
#pragma omp parallel num_threads(outer)
  {
    int own[64] = {0};
#pragma omp parallel num_threads(inner) shared(own)
    run_phases(own, inner, 0);
  }
  return 0;
}
