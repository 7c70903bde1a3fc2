// SPDX-License-Identifier: Apache-2.0
// A library with a region of its own, called by all threads, for so long that the teams cost nothing beside it.
#include "work.h"

static void library(void) {
#pragma omp parallel num_threads(8)
  work_us(300);
}

int main(void) {
  turns_per_ms();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(8)
  for (int i = 0; i < 10; ++i) library();
  return 0;
}
