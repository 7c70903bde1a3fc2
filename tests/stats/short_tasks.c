// SPDX-License-Identifier: Apache-2.0
// Tasks that are short, and long beside what it takes to make one.
#include "work.h"

int main(void) {
  turns_per_ms();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100000; ++i) {
#pragma omp task
    work_us(0.6);
  }
  return 0;
}
