// SPDX-License-Identifier: Apache-2.0
// A nested region whose members once spun on each other gets OS threads beyond the usual number for
// them from then on. There are never many: one that still looks for work stands for the next.
#include <omp.h>

#include "process.h"
#include "spin.h"

enum { MEETINGS = 20, REGIONS = 1000, MOST = 40 };

static void meet(int spins) {
  int here[2] = {0, 0};
#pragma omp parallel num_threads(2)
  if (spins) {
    int self = omp_get_thread_num();
    set_flag(&here[self]);
    spin_until_set(&here[1 - self]);
  }
}

int main(void) {
  int most = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(max: most)
  {
    for (int i = 0; i < MEETINGS; i++) meet(1);
    for (int i = 0; i < REGIONS; i++) {
      meet(0);
      int now = i % 50 == 0 ? os_threads() : 0;
      if (now > most) most = now;
    }
  }
  EXPECT(most <= MOST, "%d OS threads", most);
  return 0;
}
