// SPDX-License-Identifier: Apache-2.0
// Tasks that are called where they are made, each with a taskloop that calls its parts: when all have
// ended, tied tasks of others may begin in the name of the thread that ran them.
#include <omp.h>
#include "expect.h"

static int parts, after;

static void count(int *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

static void called(void) {
#pragma omp taskloop nogroup grainsize(2)
  for (int i = 0; i < 6; i++) count(&parts);
}

int main(void) {
  for (int round = 0; round < 50; round++) {
    parts = after = 0;
#pragma omp parallel
    {
#pragma omp master
      {
#pragma omp task final(1)
        for (int i = 0; i < 10; i++) {
#pragma omp task
          called();
        }
#pragma omp taskwait
        for (int i = 0; i < 10; i++) {
#pragma omp task
          count(&after);
        }
      }
#pragma omp barrier
      EXPECT_EQ(after, 10);
    }
    EXPECT_EQ(parts, 60);
  }
  return 0;
}
