// SPDX-License-Identifier: Apache-2.0
// Being loaded is not being used: routines that only ask, regions of one thread and locks make no OS
// thread.
#include <omp.h>

#include "process.h"

int main(void) {
  EXPECT_EQ(os_threads(), 1);
  EXPECT(omp_get_max_threads() == 36, "nthreads-var is %d", omp_get_max_threads());
  EXPECT(omp_get_num_procs() >= 1, "no processors");
  EXPECT(!omp_in_parallel(), "in a region");
  EXPECT_EQ(os_threads(), 1);

  omp_lock_t lock;
  omp_init_lock(&lock);
  int ran = 0;
#pragma omp parallel num_threads(1)
  {
    omp_set_lock(&lock);
    ran++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(os_threads(), 1);
  return 0;
}
