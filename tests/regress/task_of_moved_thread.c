// SPDX-License-Identifier: Apache-2.0
// A foreign thread's frames are moved to a spare, for its own OS thread spins in another member. When
// that one is free it finds a task, but the thread in whose name only it could run the task is busy
// making it, and so it sleeps; it is to be told when the thread waits, on the spare.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static _Thread_local int own;

int main(void) {
  int passed = 0, made = 0, found = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  own = 7;
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp barrier
    if (outer == 1) {
      set_flag(&passed);
      spin_until_set(&made);
    } else {
      spin_until_set(&passed);
#pragma omp parallel num_threads(1)
      {
#pragma omp task shared(found) priority(1)
        found = own;
        set_flag(&made);
        double start = omp_get_wtime();
        while (omp_get_wtime() - start < 0.1) {}
#pragma omp taskwait
        EXPECT_EQ(found, 7);
      }
    }
  }
  EXPECT_EQ(found, 7);
  return 0;
}
