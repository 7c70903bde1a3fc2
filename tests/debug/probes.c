// SPDX-License-Identifier: Apache-2.0
// Five regions of four threads, ten tasks in each, and a critical section in each task.
#include <stdio.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int k = 0; k < 10; ++k) {
#pragma omp task shared(sum)
      {
#pragma omp critical
        ++sum;
      }
    }
  }
  printf("%d tasks\n", sum);
  return sum == 50 ? 0 : 1;
}
