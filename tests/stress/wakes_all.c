// SPDX-License-Identifier: Apache-2.0
// A region after a pause, when all workers sleep: its members run at the same time, on workers of their own. Each
// sleeps in the kernel where the runtime does not see it, so the cores are free for all of them, and the monitor's tick
// is too long to help.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "expect.h"

enum { MOST = 64, REGIONS = 5, MEMBER_MS = 40, PAUSE_MS = 5 };

static long carriers[MOST];

static void sleep_unseen(int ms) {
  struct timespec time = {0, ms * 1000000L};
  syscall(SYS_nanosleep, &time, NULL);
}

static int distinct(int n) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    int before = 0;
    for (int j = 0; j < i; j++) before += carriers[j] == carriers[i];
    found += before == 0;
  }
  return found;
}

static void member(int number) {
  carriers[number] = syscall(SYS_gettid);
  sleep_unseen(MEMBER_MS);
}

static void flat(int n) {
#pragma omp parallel num_threads(n)
  member(omp_get_thread_num());
}

// The members of inner teams stand at their encountering thread's seat.
static void nested(int n) {
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(n / 2)
    member(outer * (n / 2) + omp_get_thread_num());
  }
}

int main(void) {
  int n = omp_get_max_threads();
  omp_set_max_active_levels(2);
  for (int i = 0; i < REGIONS; i++) {
    sleep_unseen(PAUSE_MS);
    flat(n);
    // A worker that the machine runs late finds its member taken. Half of them are far more than a chain of one by one
    // would get to in that time.
    EXPECT(distinct(n) >= n / 2);
    sleep_unseen(PAUSE_MS);
    nested(n);
    EXPECT(distinct(n) >= n / 4);
  }
  return 0;
}
