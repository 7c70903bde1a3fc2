// SPDX-License-Identifier: Apache-2.0
// scope: every thread runs it, with private copies and reductions, a barrier at its end unless
// nowait is given (OpenMP 5.2 §11.2).
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), sum = 1, passed = 0, array[3] = {0, 0, 0}, own = 44;
#pragma omp parallel
  {
    for (int round = 0; round < 5; round++) {
#pragma omp scope reduction(+ : sum, array) private(own)
      {
        own = omp_get_thread_num();
        sum += own;
        array[own % 3]++;
      }
      EXPECT_EQ(sum, 1 + (round + 1) * (n * (n - 1) / 2));
      EXPECT_EQ(array[0], (round + 1) * ((n + 2) / 3));
#pragma omp barrier
    }
#pragma omp scope nowait
    {
#pragma omp atomic
      passed++;
    }
#pragma omp barrier
    EXPECT_EQ(passed, n);
  }
  EXPECT_EQ(own, 44);
  return 0;
}
