// SPDX-License-Identifier: Apache-2.0
// Nearly all that threads do they do in one critical section.
#include "work.h"

int main(void) {
  turns_per_ms();
#pragma omp parallel
  for (int i = 0; i < 2000; ++i) {
#pragma omp critical
    work_us(40);
    work_us(5);
  }
  return 0;
}
