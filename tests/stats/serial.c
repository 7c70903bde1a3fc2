// SPDX-License-Identifier: Apache-2.0
// Two thirds of the time no region runs.
#include "work.h"

int main(void) {
  turns_per_ms();
  for (int round = 0; round < 20; ++round) {
    work_us(10000);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) work_us(160);
  }
  return 0;
}
