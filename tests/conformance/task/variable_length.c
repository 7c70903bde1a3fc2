// SPDX-License-Identifier: Apache-2.0
// Tasks that capture arrays of variable length and structures with strong alignment by value.
#include <omp.h>
#include <stdint.h>
#include "expect.h"

struct Line {
  _Alignas(128) int values[32];
};

static void spawn(int *sums, int length) {
  for (int i = 0; i < 20; i++) {
    int block[length];
    struct Line line;
    for (int j = 0; j < length; j++) block[j] = i;
    line.values[31] = i;
#pragma omp task firstprivate(block, line) shared(sums)
    {
      EXPECT_EQ((uintptr_t)&line % 128, 0);
      EXPECT_EQ(line.values[31], i);
      for (int j = 0; j < length; j++) sums[i] += block[j];
    }
    block[0] = -1000;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int length = 1; length < 3000; length = length * 3 + 1) {
    int sums[20] = {0};
    spawn(sums, length);
#pragma omp taskwait
    for (int i = 0; i < 20; i++) EXPECT_EQ(sums[i], i * length);
  }
  return 0;
}
