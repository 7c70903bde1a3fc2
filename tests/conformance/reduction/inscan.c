// SPDX-License-Identifier: Apache-2.0
// Inclusive and exclusive scans over loops give the sequential prefix sums and the total.
#include <omp.h>
#include "expect.h"

enum { size = 517 };

static int in[size], inclusive[size], exclusive[size];

static void check(int trips) {
  int sum = 0, total = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < trips; i++) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    inclusive[i] = sum;
  }
  int other = 0;
#pragma omp parallel for reduction(inscan, + : other)
  for (int i = 0; i < trips; i++) {
    exclusive[i] = other;
#pragma omp scan exclusive(other)
    other += in[i];
  }
  for (int i = 0; i < trips; i++) {
    EXPECT_EQ(exclusive[i], total);
    total += in[i];
    EXPECT_EQ(inclusive[i], total);
  }
  EXPECT_EQ(sum, total);
  EXPECT_EQ(other, total);
}

int main(void) {
  for (int i = 0; i < size; i++) in[i] = i * 37 % 101 - 50;
  check(size);
  check(64);
  check(2);
#ifndef __clang__  // up to 22, whose code for fewer than two iterations crashes by itself
  check(1);
  check(0);
#endif
  return 0;
}
