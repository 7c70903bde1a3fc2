// SPDX-License-Identifier: Apache-2.0
// Nothing is wrong with it.
#include "work.h"

int main(void) {
  turns_per_ms();
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; ++i) work_us(300);
  }
  return 0;
}
