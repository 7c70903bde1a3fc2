// SPDX-License-Identifier: Apache-2.0
// Tasks with priorities all run; with OMP_MAX_TASK_PRIORITY set, one thread that finds them all
// ready takes them in order of priority.
#include <omp.h>
#include "expect.h"

int main(void) {
  int most = omp_get_max_task_priority(), count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
#pragma omp task priority(i % 11) shared(count)
    {
#pragma omp atomic
      count++;
    }
#pragma omp task priority(1000000) shared(count)
    {
#pragma omp atomic
      count++;
    }
  }
  EXPECT_EQ(count, 400);
  int order[8], position = 0;
#pragma omp parallel num_threads(1)
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task priority(i * 5 % 8) shared(order, position) firstprivate(i)
      order[position++] = i * 5 % 8;
    }
#pragma omp taskwait
  }
  EXPECT_EQ(position, 8);
  int seen = 0;
  for (int i = 0; i < 8; i++) seen |= 1 << order[i];
  EXPECT_EQ(seen, 255);
  if (getenv("OMP_MAX_TASK_PRIORITY")) EXPECT_EQ(most, atoi(getenv("OMP_MAX_TASK_PRIORITY")));
  return 0;
}
