// SPDX-License-Identifier: Apache-2.0
// A bit of everything, without any error that a memory checker could find.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int sum = 0;
  int *values = malloc(100 * sizeof *values);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) values[i] = i;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += values[i];
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(values)
#pragma omp critical
      values[i]++;
    }
#pragma omp barrier
    for (int i = 0; i < 20; i++) {
#pragma omp critical
      {
#pragma omp taskyield
        sum++;
      }
    }
#pragma omp barrier
#pragma omp parallel num_threads(3)
#pragma omp atomic
    sum++;
  }
  free(values);
  return sum == 4950 + 80 + 12 ? 0 : 1;
}
