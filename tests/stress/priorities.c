// SPDX-License-Identifier: Apache-2.0
// Tasks with a priority where more than eight workers take part, so that each cluster of these has a list of its own: workers
// of other clusters find them too, also those that sleep, and what they make. Each is run once, and none is left.
#include <omp.h>
#include "expect.h"

enum { kRounds = 60, kTasks = 40, kChildren = 3 };

static int runs[kRounds][kTasks], children, after, chain;

static void child(int priority) {
#pragma omp task priority(priority)
  {
#pragma omp atomic
    children++;
  }
}

static void run_one(int round, int i) {
#pragma omp atomic
  runs[round][i]++;
  for (int k = 0; k < kChildren; k++) child((i + k) % 4);
#pragma omp taskwait
}

static void make(int round) {
  for (int i = 0; i < kTasks; i++) {
    switch (i % 3) {
      case 0:
#pragma omp task priority(i % 5) firstprivate(i)
        run_one(round, i);
        break;
      case 1:
#pragma omp task untied priority(1 + i % 5) firstprivate(i)
        {
          run_one(round, i);
#pragma omp taskyield
        }
        break;
      default:
#pragma omp task priority(2) depend(inout : chain) firstprivate(i)
        run_one(round, i);
    }
  }
}

int main(void) {
  int makers = 0, computed = 0;
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
    // One in turn, or each a few, or one while all others compute before they meet it.
    if (round % 3 == 1) {
#pragma omp for schedule(static)
      for (int i = 0; i < kTasks; i++)
#pragma omp task priority(i % 3) firstprivate(i)
        run_one(round, i);
    } else if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp atomic
      makers++;
      make(round);
    } else if (round % 3 == 2) {
      for (int i = 0; i < 1000; i++)
#pragma omp atomic
        computed++;
    }
#pragma omp barrier
#pragma omp single
    {
      after++;
      EXPECT_EQ(children, after * kTasks * kChildren);
      for (int i = 0; i < kTasks; i++) EXPECT_EQ(runs[round][i], 1);
    }
  }
  EXPECT_EQ(computed % 1000, 0);
  EXPECT_EQ(makers, kRounds - kRounds / 3);
  return 0;
}
