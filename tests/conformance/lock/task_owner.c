// SPDX-License-Identifier: Apache-2.0
// A nestable lock is owned by a task, not by a thread: a task that the owner runs on its own thread
// does not own it (OpenMP 5.2 §18.9).
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(1)
  {
    omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
    EXPECT_EQ(omp_test_nest_lock(&lock), 0);
    EXPECT_EQ(omp_test_nest_lock(&lock), 2);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
    {
      EXPECT_EQ(omp_test_nest_lock(&lock), 1);
      omp_unset_nest_lock(&lock);
    }
  }
  omp_destroy_nest_lock(&lock);
  return 0;
}
