// SPDX-License-Identifier: Apache-2.0
// critical excludes per name over the whole program: same name in two functions, different names
// nested, hints, and nested teams (OpenMP 5.2 §15.2).
#include <omp.h>
#include "expect.h"

enum { rounds = 50 };

static long unnamed, first, second, hinted, guessed;
static int inside_first, inside_unnamed;

static void add_elsewhere(void) {
#pragma omp critical(first)
  {
    EXPECT_EQ(inside_first++, 0);
    first++;
    inside_first--;
  }
}

static void add_all(void) {
#pragma omp critical
  {
    EXPECT_EQ(inside_unnamed++, 0);
    unnamed++;
    inside_unnamed--;
  }
#pragma omp critical(first)
  {
    EXPECT_EQ(inside_first++, 0);
    first++;
#pragma omp critical(second)
    second++;
    inside_first--;
  }
  add_elsewhere();
#pragma omp critical(hinted) hint(omp_sync_hint_contended | omp_sync_hint_nonspeculative)
  hinted++;
#pragma omp critical(guessed) hint(omp_sync_hint_uncontended | omp_sync_hint_speculative)
  guessed++;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
    add_all();
    if (round % 25 == 0) {
#pragma omp parallel num_threads(2)
      add_all();
    }
  }
  long calls = 0;
  for (int round = 0; round < rounds; round++) calls += round % 25 == 0 ? 3 : 1;
  calls *= n;
  EXPECT_EQ(unnamed, calls);
  EXPECT_EQ(first, 2 * calls);
  EXPECT_EQ(second, calls);
  EXPECT_EQ(hinted, calls);
  EXPECT_EQ(guessed, calls);
  return 0;
}
