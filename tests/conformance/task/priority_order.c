// SPDX-License-Identifier: Apache-2.0
// With OMP_MAX_TASK_PRIORITY set and tasks queued in any case, one thread that finds several ready takes
// them in order of priority: at a taskwait, at the end of a taskgroup, and at a barrier.
#include <omp.h>
#include "expect.h"

enum { kTasks = 40 };

static int order[kTasks], position;

static int priority_of(int i) { return i * 7 % 11; }

static void make_tasks(void) {
  position = 0;
  for (int i = 0; i < kTasks; i++) {
#pragma omp task priority(priority_of(i)) firstprivate(i)
    order[position++] = priority_of(i);
  }
  EXPECT_EQ(position, 0);
}

static void check_order(void) {
  EXPECT_EQ(position, kTasks);
  for (int i = 1; i < kTasks; i++) EXPECT(order[i] <= order[i - 1], "%d after %d", order[i], order[i - 1]);
}

int main(void) {
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(1)
    {
      make_tasks();
#pragma omp taskwait
      check_order();
#pragma omp taskgroup
      make_tasks();
      check_order();
      make_tasks();
    }
    check_order();
  }
  return 0;
}
