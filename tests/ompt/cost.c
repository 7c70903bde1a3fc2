// SPDX-License-Identifier: Apache-2.0
// How long constructs take on one thread, one line each: `NAME NANOSECONDS`, the least of several rounds.
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { kRounds = 15, kTimes = 20000 };

static volatile int sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// What tells a slow machine from slow callbacks.
static void atomic(void) {
  static int word;
  for (int i = 0; i < kTimes; ++i) __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

static void lock(void) {
  static omp_lock_t simple;
  static int made;
  if (!made++) omp_init_lock(&simple);
  for (int i = 0; i < kTimes; ++i) {
    omp_set_lock(&simple);
    omp_unset_lock(&simple);
  }
}

static void critical(void) {
  for (int i = 0; i < kTimes; ++i) {
#pragma omp critical
    sink = i;
  }
}

static void barrier(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp barrier
  }
}

// Of one chunk.
static void loop(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp for schedule(dynamic) nowait
    for (int j = 0; j < 1; ++j) sink = j;
  }
}

static void ordered(void) {
#pragma omp parallel for num_threads(1) ordered schedule(dynamic)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp ordered
    sink = i;
  }
}

static void region(void) {
  for (int i = 0; i < kTimes; ++i) {
#pragma omp parallel num_threads(1)
    sink = i;
  }
}

static void task(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp task
    sink = 1;
  }
}

static void measure(const char *name, void (*construct)(void)) {
  double least = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = now();
    construct();
    const double took = (now() - begin) / kTimes;
    if (took < least) least = took;
  }
  printf("%s %.2f\n", name, least);
}

int main(void) {
  measure("atomic", atomic);
  measure("lock", lock);
  measure("critical", critical);
  measure("barrier", barrier);
  measure("loop", loop);
  measure("ordered", ordered);
  measure("region", region);
  measure("task", task);
  return 0;
}
