// SPDX-License-Identifier: Apache-2.0
// Work-sharing, reductions, singles, criticals and tasks inside nested teams that run side by side
// do not mix.
#include <omp.h>
#include "expect.h"

enum { trips = 60 };

static void work(int outer) {
  int sum = 0, singles = 0, tasks = 0, cells[trips] = {0};
#pragma omp parallel num_threads(3) shared(sum, singles, tasks, cells) firstprivate(outer)
  {
    int inner = omp_get_thread_num();
    EXPECT_EQ(omp_get_ancestor_thread_num(1), outer);
#pragma omp for schedule(dynamic, 2) reduction(+ : sum)
    for (int i = 0; i < trips; i++) {
      sum += i * (outer + 1);
      cells[i]++;
    }
#pragma omp single
    {
      singles++;
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
        {
          EXPECT_EQ(omp_get_ancestor_thread_num(1), outer);
#pragma omp atomic
          tasks++;
        }
      }
    }
    EXPECT_EQ(tasks, 10);
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 6; i++) {
#pragma omp ordered
      cells[i] += i;
    }
    EXPECT_EQ(omp_get_thread_num(), inner);
  }
  EXPECT_EQ(sum, (outer + 1) * trips * (trips - 1) / 2);
  EXPECT_EQ(singles, 1);
  for (int i = 0; i < trips; i++) EXPECT_EQ(cells[i], 1 + (i < 6 ? i : 0));
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  int n = omp_get_max_threads(), outer = n > 16 ? 16 : n, calls = 0;
#pragma omp parallel num_threads(outer)
  {
    for (int round = 0; round < 3; round++) work(omp_get_thread_num());
#pragma omp for schedule(dynamic) reduction(+ : calls)
    for (int i = 0; i < 20; i++) {
      work(omp_get_thread_num());
      calls++;
    }
  }
  EXPECT_EQ(calls, 20);
  return 0;
}
