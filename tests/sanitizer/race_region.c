// SPDX-License-Identifier: Apache-2.0
// A race between the threads of a region, each of which leaves time for another worker to come.
#include <stdio.h>
#include <unistd.h>

static int sum;

int main(void) {
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(4)
    {
      usleep(5000);
      sum++;
    }
  }
  printf("%d\n", sum > 0);
  return 0;
}
