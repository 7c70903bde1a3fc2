// SPDX-License-Identifier: Apache-2.0
// Threads that are bound to places are bound to them again by new workers: after a pause, and in a
// child.
// usage: bound, with OMP_PLACES=threads OMP_PROC_BIND=close; exit status 77 with fewer than two places
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "process.h"

static void expect_bound(const char *when) {
  int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    cpu_set_t mask;
    int place = omp_get_place_num(), cpu = -1;
    omp_get_place_proc_ids(place, &cpu);
    wrong += place != omp_get_thread_num() || sched_getaffinity(0, sizeof mask, &mask) != 0 ||
             CPU_COUNT(&mask) != 1 || !CPU_ISSET(cpu, &mask);
#pragma omp barrier
  }
  EXPECT(wrong == 0, "%d threads are not bound %s", wrong, when);
}

int main(void) {
  omp_set_dynamic(0);
  if (omp_get_num_places() < 2) {
    puts("skipped: one place");
    return 77;
  }
  expect_bound("at first");
  for (int round = 0; round < 3; round++) {
    EXPECT_EQ(omp_pause_resource_all(round % 2 ? omp_pause_soft : omp_pause_hard), 0);
    expect_bound("after a pause");
    pid_t child = fork();
    if (child == 0) {
      alarm(50);
      expect_bound("in a child");
      _exit(12);
    }
    expect_child(child, 12);
  }
  return 0;
}
