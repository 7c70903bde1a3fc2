// SPDX-License-Identifier: Apache-2.0
// What the C library says about a thread's stack is where the member runs, after every wait.
#define _GNU_SOURCE
#include <pthread.h>

#include "waits.h"

static void check(int number, const char *where) {
  pthread_attr_t attributes;
  void *lowest;
  size_t bytes;
  char here;
  EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  EXPECT_EQ(pthread_attr_getstack(&attributes, &lowest, &bytes), 0);
  pthread_attr_destroy(&attributes);
  EXPECT(&here > (char *)lowest && &here < (char *)lowest + bytes,
         "thread %d runs at %p and not on its stack, %p and %zu bytes: %s", number,
         (void *)&here, lowest, bytes, where);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    wait_in_many_ways(check);
  }
  return 0;
}
