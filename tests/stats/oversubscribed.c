// SPDX-License-Identifier: Apache-2.0
// A library that opens a region of its own for each call, called by all threads of the program.
#include "work.h"

static void library(void) {
#pragma omp parallel num_threads(8)
  work_us(4);
}

int main(void) {
  turns_per_ms();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(8)
  for (int i = 0; i < 300; ++i) library();
  return 0;
}
