// SPDX-License-Identifier: Apache-2.0
// The first half of the iterations costs nine times what the second does, and each thread has one half.
#include "work.h"

int main(void) {
  turns_per_ms();
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; ++i) work_us(i < 32 ? 270 : 30);
  }
  return 0;
}
