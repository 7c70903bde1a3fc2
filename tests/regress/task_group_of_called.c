// SPDX-License-Identifier: Apache-2.0
// A taskgroup in a task that is called where it is made, on top of another one: its end waits for tasks
// of a third one that has ended, and those may begin although tied tasks wait below.
#include <omp.h>
#include "expect.h"

enum { kRounds = 200 };

static int count;

static void leaves(void) {
  for (int i = 0; i < 2; i++) {
#pragma omp task
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  }
}

static void called_in_group(void) {
  for (int i = 0; i < 2; i++) {
#pragma omp task
    leaves();
  }
#pragma omp taskwait
}

int main(void) {
  int threads = 0;
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel reduction(+ : threads)
    {
      threads++;
      for (int i = 0; i < 4; i++) {
#pragma omp task
        {
#pragma omp task if (0)
          {
#pragma omp taskgroup
            {
#pragma omp task if (0)
              called_in_group();
            }
          }
        }
      }
#pragma omp taskwait
    }
  }
  EXPECT_EQ(count, 16 * threads);
  return 0;
}
