// SPDX-License-Identifier: Apache-2.0
// A team whose workers have one core between them, as on a busy machine: who waits at a barrier, or for a lock that is
// taken in a loop, gives the core to whoever it waits for, and does not poll it away.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <time.h>

#include "expect.h"

enum { barriers = 2000, turns = 50 };

static double seconds_of_cpu(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void share_one_core(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
#pragma omp parallel
  sched_setaffinity(0, sizeof one, &one);
}

static void meet_at_barriers(int n) {
  double before = seconds_of_cpu();
#pragma omp parallel
  for (int i = 0; i < barriers; i++) {
#pragma omp barrier
  }
  double each = (seconds_of_cpu() - before) / barriers / n;
  EXPECT(each < 10e-6, "%.1f us of CPU time for each member of a barrier", 1e6 * each);
}

static void take_turns(int n) {
  int turn = 0;
  double before = seconds_of_cpu();
#pragma omp parallel shared(turn)
  for (int mine = 0; mine < turns;) {
#pragma omp critical
    if (turn % n == omp_get_thread_num()) {
      turn++;
      mine++;
    }
  }
  double each = (seconds_of_cpu() - before) / turns / n;
  EXPECT_EQ(turn, turns * n);
  EXPECT(each < 20e-6 * n, "%.1f us of CPU time for a turn of %d", 1e6 * each, n);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  share_one_core();
  meet_at_barriers(n);
  take_turns(n);
  return 0;
}
