// SPDX-License-Identifier: Apache-2.0
// Barriers of a large team whose members come late in turn, make tasks before some of them, leave loops by cancellation,
// and change in number from one region to the next: nobody passes a barrier before all have come, and all that was
// made before it has ended.
#include <omp.h>
#include <time.h>
#include "expect.h"

enum { kBarriers = 30, kRegions = 6 };

static void come_late(int microseconds) {
  struct timespec time = {0, microseconds * 1000L};
  nanosleep(&time, NULL);
}

// Each second barrier has tasks before it, each fifth somebody who comes late.
static void meet(int members) {
  int came = 0, done = 0, made = 0, sum = 0;
#pragma omp parallel num_threads(members)
  {
    const int number = omp_get_thread_num();
    for (int i = 0; i < kBarriers; ++i) {
      if (i % 5 == 0 && number == i % members) come_late(200);
      if (i % 2 == 1 && number % 3 == 0) {
#pragma omp atomic
        ++made;
#pragma omp task shared(done)
        {
#pragma omp atomic
          ++done;
        }
      }
#pragma omp atomic
      ++came;
#pragma omp barrier
      int all, ended, expected;
#pragma omp atomic read
      all = came;
#pragma omp atomic read
      ended = done;
#pragma omp atomic read
      expected = made;
      EXPECT_EQ(all, members * (i + 1));
      EXPECT_EQ(ended, expected);
#pragma omp barrier
    }
    for (int i = 0; i < 3; ++i) {
#pragma omp for reduction(+ : sum)
      for (int k = 0; k < 100; ++k) sum += k;
    }
  }
  EXPECT_EQ(sum, 3 * 4950);
}

// Cancelled in the middle, with members at different barriers.
static void cancel(int members) {
  int after = 0;
#pragma omp parallel num_threads(members)
  {
#pragma omp barrier
    if (omp_get_thread_num() == members / 2) {
      come_late(100);
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    ++after;
  }
  EXPECT(!omp_get_cancellation() || after == 0);
}

int main(void) {
  const int most = omp_get_max_threads();
  for (int i = 0; i < kRegions; ++i) {
    meet(most);
    cancel(most);
    meet(most > 9 ? 9 + i % (most - 9) : most);
  }
  return 0;
}
