// SPDX-License-Identifier: Apache-2.0
// A race between two tasks whose dependences name different variables.
#include <stdio.h>
#include <unistd.h>

static int first, second, shared;

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(out : first)
    {
      usleep(5000);
      shared++;
    }
#pragma omp task depend(out : second)
    {
      usleep(5000);
      shared++;
    }
  }
  printf("%d\n", shared > 0);
  return 0;
}
