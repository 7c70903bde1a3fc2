// SPDX-License-Identifier: Apache-2.0
// What a member of a team has of its own looks the same after every way to wait.
#ifndef TULLE_TESTS_WAITS_H
#define TULLE_TESTS_WAITS_H

#include <omp.h>

#include "expect.h"

typedef void (*check_function)(int number, const char *where);

// By all members of the team, whose numbers tell what `check` expects.
__attribute__((unused)) static void wait_in_many_ways(check_function check) {
  int own = omp_get_thread_num();
  check(own, "before any wait");
#pragma omp barrier
  check(own, "after a barrier");
#pragma omp critical
  check(own, "in a critical section");
  for (int i = 0; i < 3; i++) {
#pragma omp task untied
    usleep(1);
  }
#pragma omp taskwait
  check(own, "after taskwait");
#pragma omp taskyield
  check(own, "after taskyield");
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp ordered
    check(own, "in an ordered region");
  }
  check(own, "after a loop");
#pragma omp barrier
  check(own, "after another barrier");
}

#endif
