// SPDX-License-Identifier: Apache-2.0
// Tasks that exclude each other, made by implicit tasks that do not wait for them, and by explicit ones:
// what the runtime keeps of a region's dependences is freed in the next one, by whoever runs it.
#include <omp.h>
#include <stdlib.h>

static void exclude_pairs(int threads) {
  int sums[4] = {0};
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
  for (int i = 0; i < 24; i++) {
#pragma omp task depend(mutexinoutset : sums[i % 4]) depend(mutexinoutset : sums[(i + 1) % 4])
    {
      sums[i % 4]++;
      sums[(i + 1) % 4]++;
    }
  }
  for (int i = 0; i < 4; i++)
    if (sums[i] != 12) abort();
}

static void exclude_children(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task
    {
      int sum = 0;
      for (int k = 0; k < 5; k++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
        sum++;
      }
#pragma omp taskwait
      if (sum != 5) abort();
    }
  }
}

int main(void) {
  for (int round = 0; round < 200; round++) {
    exclude_pairs(omp_get_max_threads());
    exclude_children(omp_get_max_threads());
  }
  return 0;
}
