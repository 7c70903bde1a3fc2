// SPDX-License-Identifier: Apache-2.0
// All threads but one spin, with no OpenMP call, until a task has run that one of them made: only the
// first other one that came, which waits at a barrier, can run it. The task comes after a time in which
// nothing waited for a worker: the runtime has stopped looking for workers that do not come back. Any
// worker may go on with a thread, for the program has thread-local data of its own.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static _Thread_local int touched;

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), done = 0, first = 0, others = 0;
#pragma omp parallel num_threads(n)
  {
    int self = omp_get_thread_num(), waits = 0;
    touched = self;
    if (self != 0) {
#pragma omp atomic capture
      waits = others++;
      waits = waits == 0;
    }
    if (self == 0) {
#pragma omp task shared(first)
      first++;
#pragma omp taskwait
      double start = omp_get_wtime();
      while (omp_get_wtime() - start < 0.3) {}
#pragma omp task shared(done)
      set_flag(&done);
    }
    if (!waits && n > 1) spin_until_set(&done);
#pragma omp barrier
    EXPECT_EQ(done, 1);
    EXPECT_EQ(touched, self);
  }
  EXPECT_EQ(first, 1);
  return 0;
}
