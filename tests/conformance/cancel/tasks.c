// SPDX-License-Identifier: Apache-2.0
// Tasks that have not begun when their region is cancelled are dropped, and what waits for them goes on;
// `cancel taskgroup` names a group of the program's, not the hidden one of a construct with task
// reductions (OpenMP 5.2 §11.2).
#include <omp.h>
#include "expect.h"

enum { kTasks = 20 };

static int ran;

static void run(void) { __atomic_fetch_add(&ran, 1, __ATOMIC_SEQ_CST); }

// One thread and tasks that are queued in any case: none has begun when the region is cancelled.
static void check_parallel(void) {
  int cell = 0;
  ran = 0;
#pragma omp parallel num_threads(1) shared(cell)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      run();
#pragma omp task untied depend(inout : cell) shared(cell)
      {
        cell++;
        run();
      }
    }
#pragma omp cancel parallel
  }
  EXPECT_EQ(ran + cell, 0);
}

// One of several threads cancels; the region ends, and the next one is whole.
static void check_team(void) {
  ran = 0;
#pragma omp parallel
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      run();
    }
#pragma omp cancel parallel if (omp_get_thread_num() == omp_get_num_threads() - 1)
#pragma omp barrier
    run();
  }
  EXPECT(ran <= kTasks * omp_get_max_threads());
  ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    run();
  }
  EXPECT_EQ(ran, kTasks);
}

static void make_cancelling_task(void) {
#pragma omp task if (0)
  {
#pragma omp cancel taskgroup
    run();
  }
}

// There is no group of the program's: the directive has no effect.
static void check_hidden(void) {
  long sum = 0;
  ran = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum)
  for (int i = 0; i < kTasks; i++) {
    make_cancelling_task();
#pragma omp task in_reduction(+ : sum)
    {
      run();
      sum += i;
    }
  }
  EXPECT_EQ(ran, 2 * kTasks);
  EXPECT_EQ(sum, kTasks * (kTasks - 1) / 2);
}

static void check_around(void) {
  long sum = 0;
  ran = 0;
#pragma omp parallel
#pragma omp taskgroup
  {
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < 4 * kTasks; i++) {
      make_cancelling_task();
#pragma omp task in_reduction(+ : sum)
      {
        run();
        sum++;
      }
    }
  }
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(sum, 0);
}

int main(void) {
  EXPECT(omp_get_cancellation(), "run with OMP_CANCELLATION=true");
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++) {
    check_parallel();
    check_team();
    check_hidden();
    check_around();
  }
  return 0;
}
