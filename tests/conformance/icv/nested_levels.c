// SPDX-License-Identifier: Apache-2.0
// Levels, ancestors and sizes three regions deep, inactive levels in between, and the inactive
// regions that max-active-levels-var makes (OpenMP 5.2 §18.2).
#include <omp.h>
#include "expect.h"

static int members;

static void check_innermost(int outer, int middle, int sizes[3]) {
  EXPECT_EQ(omp_get_level(), 4);
  EXPECT_EQ(omp_get_ancestor_thread_num(0), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(1), outer);
  EXPECT_EQ(omp_get_ancestor_thread_num(2), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(3), middle);
  EXPECT_EQ(omp_get_ancestor_thread_num(4), omp_get_thread_num());
  EXPECT_EQ(omp_get_ancestor_thread_num(5), -1);
  EXPECT_EQ(omp_get_team_size(0), 1);
  EXPECT_EQ(omp_get_team_size(1), sizes[0]);
  EXPECT_EQ(omp_get_team_size(2), 1);
  EXPECT_EQ(omp_get_team_size(3), sizes[1]);
  EXPECT_EQ(omp_get_team_size(4), sizes[2]);
  EXPECT_EQ(omp_get_num_threads(), sizes[2]);
  EXPECT_EQ(omp_get_active_level(), (sizes[0] > 1) + (sizes[1] > 1) + (sizes[2] > 1));
  __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
}

static void run(int levels, int a, int b, int c) {
  omp_set_max_active_levels(levels);
  int sizes[3] = {a, b, c}, left = levels;
  for (int i = 0; i < 3; i++) {
    if (sizes[i] > 1 && left <= 0) sizes[i] = 1;
    if (sizes[i] > 1) left--;
  }
  members = 0;
#pragma omp parallel num_threads(a)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel if (levels < 0)
#pragma omp parallel num_threads(b)
    {
      int middle = omp_get_thread_num();
      EXPECT_EQ(omp_get_ancestor_thread_num(1), outer);
#pragma omp parallel num_threads(c)
      check_innermost(outer, middle, sizes);
      EXPECT_EQ(omp_get_level(), 3);
      EXPECT_EQ(omp_get_thread_num(), middle);
    }
    EXPECT_EQ(omp_get_level(), 1);
    EXPECT_EQ(omp_get_thread_num(), outer);
  }
  EXPECT_EQ(members, sizes[0] * sizes[1] * sizes[2]);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), a = n > 8 ? n / 8 : n, b = n > 8 ? 2 : 1, c = n > 8 ? 4 : n;
  run(3, a, b, c);
  run(2, a, b, c);
  run(1, a, b, c);
  run(3, 2, 2, 2);
  run(2, 1, 3, 2);
  run(3, 2, 1, 3);
  return 0;
}
