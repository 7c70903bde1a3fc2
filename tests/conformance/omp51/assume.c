// SPDX-License-Identifier: Apache-2.0
// assume, assumes, begin assumes and nothing change no result (OpenMP 5.2 §8.3, §8.4).
#include <omp.h>
#include "expect.h"

#pragma omp begin assumes no_parallelism
static int twice(int value) { return 2 * value; }
#pragma omp end assumes
#pragma omp begin assumes ext_spmd_amenable
static int thrice(int value) { return 3 * value; }
#pragma omp end assumes

static void add(int *sum, int trips) {
#pragma omp assume holds(trips > 0) no_openmp_routines
  {
#pragma omp parallel for reduction(+ : sum[0])
    for (int i = 0; i < trips; i++) {
#pragma omp nothing
#pragma omp assume no_openmp absent(parallel, task) no_parallelism
      sum[0] += twice(i) + thrice(i);
    }
  }
}

int main(void) {
  int sum = 0, team = 0, n = omp_get_max_threads();
  omp_set_dynamic(0);
  add(&sum, 100);
  EXPECT_EQ(sum, 5 * 4950);
#pragma omp parallel
  {
#pragma omp nothing
#pragma omp assume contains(atomic)
    {
#pragma omp atomic
      team++;
    }
  }
  EXPECT_EQ(team, n);
  return 0;
}
