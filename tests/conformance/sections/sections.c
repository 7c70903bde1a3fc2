// SPDX-License-Identifier: Apache-2.0
// Each section runs once, with more and fewer sections than threads; lastprivate comes from the
// lexically last one; reductions; orphaned and nested in a serial loop (OpenMP 5.2 §11.3).
#include <omp.h>
#include "expect.h"

static int hits[6];

static void orphaned(void) {
#pragma omp sections
  {
#pragma omp section
    __atomic_fetch_add(&hits[0], 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add(&hits[1], 1, __ATOMIC_RELAXED);
#pragma omp section
    {
      usleep(100);
      __atomic_fetch_add(&hits[2], 1, __ATOMIC_RELAXED);
    }
#pragma omp section
    __atomic_fetch_add(&hits[3], 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add(&hits[4], 1, __ATOMIC_RELAXED);
  }
}

int main(void) {
  int last = -1, first = 7, sum = 0;
#pragma omp parallel
  for (int round = 1; round <= 10; round++) {
    orphaned();
    for (int i = 0; i < 5; i++) EXPECT_EQ(hits[i], round);
#pragma omp barrier
  }
#pragma omp parallel sections lastprivate(last) firstprivate(first) reduction(+ : sum)
  {
#pragma omp section
    {
      EXPECT_EQ(first, 7);
      last = 1;
      sum += 1;
    }
#pragma omp section
    {
      last = 2;
      sum += 10;
    }
#pragma omp section
    {
      last = 3;
      sum += 100;
    }
  }
  EXPECT_EQ(last, 3);
  EXPECT_EQ(sum, 111);
#pragma omp parallel sections
  {
    hits[5] = 1;
  }
  EXPECT_EQ(hits[5], 1);
  orphaned();
  EXPECT_EQ(hits[4], 11);
  return 0;
}
