// SPDX-License-Identifier: Apache-2.0
// Whoever runs several children of one parent one after another tells it of them at once, and in any case before it goes
// on with another one's child: that one lasts here until the parent has gone on.
#include <stdatomic.h>

#include "expect.h"

enum { ROUNDS = 300, CHILDREN = 6 };

static atomic_int ended, went_on, met;

static void wait_for_parent(void) {
  while (went_on == 0) {
  }
  met++;
}

// Its children are left to the other thread.
static void parent(void) {
  for (int i = 0; i < CHILDREN; i++) {
#pragma omp task
    {
      if (i == CHILDREN / 2) {
#pragma omp task
        wait_for_parent();
      }
      ended++;
    }
  }
  while (ended < CHILDREN / 2 + 1) {
  }
#pragma omp taskwait
  went_on = 1;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    ended = went_on = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task
    parent();
    EXPECT_EQ(ended, CHILDREN);
  }
  EXPECT_EQ(met, ROUNDS);
  return 0;
}
