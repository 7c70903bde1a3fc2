// SPDX-License-Identifier: Apache-2.0
// A member spins, on the only worker there is, until a task has run that it made. The only thread free to
// run it is the one that opened the region, whose OS thread the spinning keeps: a spare runs it in the
// thread's name, under the thread's own block.
#include <omp.h>
#include <stdatomic.h>

#include "expect.h"

static _Thread_local int mine = -1;

static void spin_for_task(int maker) {
  atomic_int done = 0;
#pragma omp parallel num_threads(2)
  {
    mine = omp_get_thread_num();
    if (omp_get_thread_num() == maker) {
#pragma omp task shared(done)
      {
        EXPECT_EQ(mine, omp_get_thread_num());
        atomic_store(&done, 1);
      }
      while (!atomic_load(&done)) {}
    }
#pragma omp barrier
    EXPECT_EQ(mine, omp_get_thread_num());
  }
  EXPECT_EQ(mine, 0);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++)
    for (int maker = 0; maker < 2; maker++) spin_for_task(maker);
  return 0;
}
