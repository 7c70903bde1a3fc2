// SPDX-License-Identifier: Apache-2.0
// pthread_self() names a member: another one for each, the same after every wait.
#include <pthread.h>

#include "waits.h"

enum { kMost = 64 };
static pthread_t names[kMost];

static void check(int number, const char *where) {
  EXPECT(pthread_self() == names[number], "thread %d has another name: %s", number, where);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(omp_get_max_threads() < kMost ? omp_get_max_threads() : kMost)
    {
      int own = omp_get_thread_num();
      names[own] = pthread_self();
#pragma omp barrier
      for (int other = 0; other < omp_get_num_threads(); other++)
        EXPECT(other == own || !pthread_equal(names[own], names[other]), "%d and %d", own, other);
      wait_in_many_ways(check);
    }
  }
  return 0;
}
