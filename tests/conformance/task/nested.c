// SPDX-License-Identifier: Apache-2.0
// Tasks that open parallel regions, regions whose members make tasks, and work-sharing around both:
// counts are exact, and tasks bind to the team that made them.
#include <omp.h>
#include "expect.h"

static int total;

static void region(int level) {
#pragma omp parallel num_threads(2)
  {
    EXPECT_EQ(omp_get_level(), level + 1);
#pragma omp task
    {
      EXPECT_EQ(omp_get_level(), level + 1);
      EXPECT_EQ(omp_get_team_size(level + 1), omp_get_num_threads());
#pragma omp atomic
      total++;
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
#pragma omp atomic
        total++;
      }
    }
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
    total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
      region(1);
    }
    EXPECT_EQ(total, 20 * 6);
    total = 0;
    region(0);
    EXPECT_EQ(total, 6);
  }
  return 0;
}
