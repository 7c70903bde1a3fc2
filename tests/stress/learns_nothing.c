// SPDX-License-Identifier: Apache-2.0
// With TULLE_LEARN=false nested members that spin for each other are as many each time: nobody remembers that they
// did, and nothing was said of dyn-var.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int arrived[2][2];

static void run(void) {
  for (int team = 0; team < 2; team++) arrived[team][0] = arrived[team][1] = 0;
#pragma omp parallel num_threads(2)
  {
    int team = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      EXPECT_EQ(omp_get_num_threads(), 2);
      int self = omp_get_thread_num();
      set_flag(&arrived[team][self]);
      spin_until_set(&arrived[team][1 - self]);
    }
  }
}

int main(void) {
  EXPECT_EQ(omp_get_dynamic(), 0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 4; round++) run();
  EXPECT_EQ(omp_get_dynamic(), 0);
  return 0;
}
