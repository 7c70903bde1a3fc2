// SPDX-License-Identifier: Apache-2.0
// A foreign thread's frames are moved to a spare, for its own OS thread spins in another member; there
// they open a region whose other member spins until a task has run. Only the foreign OS thread, when
// it is free, can run that task, in the name of the foreign thread, which waits at a barrier.
#include <omp.h>
#include "expect.h"

#include "../stress/spin.h"

static _Thread_local int own;

int main(void) {
  int passed = 0, begun = 0, done = 0, found = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  own = 7;
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp barrier
    if (outer == 1) {
      set_flag(&passed);
      spin_until_set(&begun);
    } else {
      spin_until_set(&passed);
#pragma omp parallel num_threads(2)
      {
        if (omp_get_thread_num() == 0) {
#pragma omp task shared(done, found)
          {
            found = own;
            set_flag(&done);
          }
        } else {
          set_flag(&begun);
          spin_until_set(&done);
        }
#pragma omp barrier
      }
    }
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(found, 7);
  return 0;
}
