// SPDX-License-Identifier: Apache-2.0
// A race between a task and the one that made it, which waits too late.
#include <stdio.h>
#include <unistd.h>

static int shared;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task
    shared = 1;
    usleep(50000);
    shared = 2;
#pragma omp taskwait
  }
  printf("%d\n", shared);
  return 0;
}
