// SPDX-License-Identifier: Apache-2.0
// A foreign thread's frames are moved to a spare, for its own OS thread spins in another member; there
// they open a region whose other member spins until a task has run. Only the foreign OS thread, when
// it is free, can run that task, in the name of the foreign thread, which waits at a barrier. Rounds in
// which the members came to run elsewhere are left out.
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>
#include "expect.h"
#include "spin.h"

static _Thread_local int own;

static int inner_region(int *begun) {
  int done = 0, found = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task shared(done, found)
      {
        found = own;
        set_flag(&done);
      }
    } else {
      set_flag(begun);
      spin_until_set(&done);
    }
#pragma omp barrier
  }
  return found;
}

static void round_of(pid_t home) {
  int passed = 0, at_home = 0, begun = 0;
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp barrier
    if (outer == 1) {
      at_home = gettid() == home;
      set_flag(&passed);
      spin_until_set(&begun);
    } else {
      spin_until_set(&passed);
      if (at_home && gettid() != home)
        EXPECT_EQ(inner_region(&begun), 7);
      else
        set_flag(&begun);
    }
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  own = 7;
  for (int i = 0; i < 5; i++) round_of(gettid());
  return 0;
}
