// SPDX-License-Identifier: Apache-2.0
// What the C library says about a thread's stack is where the member runs, after every wait.
#define _GNU_SOURCE
#include "stack_bounds.h"
#include "waits.h"

static void check(int number, const char *where) {
  char here = 0;
  StackBounds bounds = own_stack_bounds();
  EXPECT(lies_within(&bounds, &here), "thread %d runs at %p and not on its stack, %p and %zu bytes: %s", number,
         (void *)&here, bounds.lowest, bounds.bytes, where);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    wait_in_many_ways(check);
  }
  return 0;
}
