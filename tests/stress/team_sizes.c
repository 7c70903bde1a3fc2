// SPDX-License-Identifier: Apache-2.0
// Teams that grow and shrink from region to region, at two levels, with barriers, tasks and dynamic
// loops in each.
#include <omp.h>
#include "expect.h"

static void run(int size) {
  int members = 0, tasks = 0, sum = 0;
#pragma omp parallel num_threads(size) shared(members, tasks, sum)
  {
    EXPECT_EQ(omp_get_num_threads(), size);
#pragma omp atomic
    members++;
#pragma omp barrier
    EXPECT_EQ(members, size);
#pragma omp task
    {
#pragma omp atomic
      tasks++;
    }
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 30; i++) sum += i;
    EXPECT_EQ(tasks, size);
  }
  EXPECT_EQ(sum, 435);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
  unsigned state = 12345;
  for (int region = 0; region < 25; region++) {
    state = state * 1103515245u + 12345u;
    run(1 + (int)((state >> 16) % (unsigned)n));
  }
#pragma omp parallel num_threads(n > 8 ? 8 : n)
  for (int region = 0; region < 4; region++) run(1 + (omp_get_thread_num() + region) % 4);
  return 0;
}
