// SPDX-License-Identifier: Apache-2.0
// A fast thread may be many nowait constructs ahead of a slow one: loops, sections and singles of
// different kinds keep apart, and every iteration of each runs once.
#include <omp.h>
#include "expect.h"

enum { rounds = 40, trips = 20 };

static int hits[rounds][3];

int main(void) {
  omp_set_dynamic(0);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) usleep(2000);
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < trips; i++) {
#pragma omp atomic
        hits[round][0]++;
      }
#pragma omp single nowait
      {
#pragma omp atomic
        hits[round][1]++;
      }
#pragma omp sections nowait
      {
#pragma omp section
        {
#pragma omp atomic
          hits[round][2]++;
        }
#pragma omp section
        {
#pragma omp atomic
          hits[round][2] += 10;
        }
      }
#pragma omp for schedule(guided) nowait
      for (unsigned long long i = 0; i < trips; i++) {
#pragma omp atomic
        hits[round][0]++;
      }
    }
#pragma omp barrier
    for (int round = 0; round < rounds; round++) {
      EXPECT_EQ(hits[round][0], 2 * trips);
      EXPECT_EQ(hits[round][1], 1);
      EXPECT_EQ(hits[round][2], 11);
    }
  }
  return 0;
}
