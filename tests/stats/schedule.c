// SPDX-License-Identifier: Apache-2.0
// Even iterations of some nanoseconds that are dealt out one by one.
#include "work.h"

static double a[1 << 20];

int main(void) {
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 1 << 20; ++i) a[i] = 2 * a[i] + 1;
  }
  return a[1] < 0;
}
