// SPDX-License-Identifier: Apache-2.0
// threadset on task and taskloop: tasks of the team and of the pool run once and are waited for
// (OpenMP 6.0 §14.8).
#include <omp.h>
#include "expect.h"

enum { trips = 200 };

static int seen[trips];

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
#pragma omp parallel
  {
#pragma omp single
    {
      for (int i = 0; i < trips; i++) {
#pragma omp task threadset(omp_team)
        {
          EXPECT_EQ(omp_get_num_threads(), n);
#pragma omp atomic
          seen[i]++;
        }
#pragma omp task threadset(omp_pool)
        {
#pragma omp atomic
          seen[i]++;
        }
      }
#pragma omp taskwait
      for (int i = 0; i < trips; i++) EXPECT_EQ(seen[i], 2);
#pragma omp taskloop threadset(omp_pool) grainsize(3)
      for (int i = 0; i < trips; i++) {
#pragma omp atomic
        seen[i]++;
      }
      for (int i = 0; i < trips; i++) EXPECT_EQ(seen[i], 3);
    }
  }
#pragma omp task threadset(omp_pool)
  seen[0]++;
#pragma omp taskwait
  EXPECT_EQ(seen[0], 4);
  return 0;
}
