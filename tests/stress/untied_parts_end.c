// SPDX-License-Identifier: Apache-2.0
// Untied tasks that end in parts, of which another worker runs the last, right before a region's end:
// the next region begins when nobody runs in the name of its threads any more.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 4000, DEPTH = 2, TASKS = 6 };

static long sum;

static void tree(int depth) {
  if (depth == 0) return;
  for (int i = 0; i < 2; i++) {
#pragma omp task untied firstprivate(depth)
    {
#pragma omp atomic
      sum++;
#pragma omp taskyield
      tree(depth - 1);
    }
  }
}

int main(void) {
  int most = omp_get_max_threads();
  for (int round = 0; round < ROUNDS; round++) {
    int threads = 1 + round % most;
    sum = 0;
#pragma omp parallel num_threads(threads)
    tree(DEPTH);
    if (sum != (long)TASKS * threads) {
      printf("round %d: %ld tasks, not %ld\n", round, sum, (long)TASKS * threads);
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
