// SPDX-License-Identifier: Apache-2.0
// Thread i spins, with no OpenMP call, until thread i + 1 has let it go; the last thread starts the
// chain. All begin when a barrier lets them go at once, after a time in which nothing waited for a
// worker: the runtime has stopped looking for workers that do not come back, and those without work
// sleep. Any worker may go on with a thread, for the program has thread-local data of its own.
#include <omp.h>
#include <unistd.h>
#include "expect.h"
#include "spin.h"

static _Thread_local int touched;

static int released[64 + 1];

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), members = 0;
  set_flag(&released[n]);
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    int self = omp_get_thread_num();
    touched = self;
    if (self == 0) usleep(300000);
#pragma omp barrier
    spin_until_set(&released[self + 1]);
    EXPECT_EQ(omp_get_thread_num(), self);
    members++;
    set_flag(&released[self]);
#pragma omp barrier
    EXPECT_EQ(released[0], 1);
    EXPECT_EQ(touched, self);
  }
  EXPECT_EQ(members, n);
  return 0;
}
