// SPDX-License-Identifier: Apache-2.0
// The chain begins when a barrier lets all go at once, after a time in which nothing waited for a
// worker: the runtime has stopped looking for workers that do not come back, and those without work
// sleep. Any worker may go on with a thread, for the program has thread-local data of its own.
#include <unistd.h>
#include "chain.h"

static _Thread_local int touched;

int main(void) {
  int n = prepare_chain(), members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    int self = omp_get_thread_num();
    touched = self;
    if (self == 0) usleep(300000);
#pragma omp barrier
    pass_chain(self);
    members++;
#pragma omp barrier
    EXPECT_EQ(released[0], 1);
    EXPECT_EQ(touched, self);
  }
  EXPECT_EQ(members, n);
  return 0;
}
