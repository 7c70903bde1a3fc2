// SPDX-License-Identifier: Apache-2.0
// Nested members that spin for each other in one region after another and never ask how many they are: each
// time they are as many as the region was told, though the team size is the runtime's to choose. Beside them
// a region of another code that asks: it ends too, with as many threads as it is told there are.
#include <omp.h>
#include "expect.h"
#include "relax.h"
#include "spin.h"

enum { regions = 6 };

static void meet_unasked(int n) {
  int arrived = 0;
#pragma omp parallel num_threads(n)
  {
    __atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < n) relax();
  }
  EXPECT_EQ(arrived, n);
}

static void meet_asked(int n) {
  int arrived = 0;
#pragma omp parallel num_threads(n)
  {
    int all = omp_get_num_threads();
    EXPECT(all == n || all == 1, "a team of %d", all);
    __atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < all) relax();
  }
}

int main(void) {
  omp_set_dynamic(1);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : 2, outer = n >= 4 ? n / inner : 1;
  if (n > 16) outer = 4;
  for (int region = 0; region < regions; region++) {
#pragma omp parallel num_threads(outer)
    {
      meet_unasked(inner);
      meet_asked(inner);
    }
  }
  for (int region = 0; region < regions; region++) meet_unasked(n > 16 ? 16 : n);
  return 0;
}
