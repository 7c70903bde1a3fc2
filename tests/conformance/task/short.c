// SPDX-License-Identifier: Apache-2.0
// Tasks that are too short to be worth keeping are called where they are made once that is known of the place in
// the program that makes them, with dependences or without; and kept for others again when they become long.
#include <omp.h>
#include <string.h>

#include "clock.h"
#include "expect.h"

enum { kTasks = 64, kRegions = 16, kPatience = 25 };

static int ran[kTasks], cells[2];

static void run(int i, double length) {
  if (length > 0) compute_for(length);
  __atomic_store_n(&ran[i], 1, __ATOMIC_SEQ_CST);
}

static int has_run(int i) { return __atomic_load_n(&ran[i], __ATOMIC_SEQ_CST); }

static int plain(double seconds) {
  int at_once = 0;
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    run(i, seconds);
    at_once += has_run(i);
  }
  return at_once;
}

static int dependent(double seconds) {
  int at_once = 0;
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(in : cells[0]) depend(inout : cells[1])
    run(i, seconds);
    at_once += has_run(i);
  }
  return at_once;
}

// Those of another place, which are worth keeping: none is left in the maker's queue, and it knows.
static void make_long_ones(void) {
  for (int i = 0; i < 8; i++) {
#pragma omp task
    compute_for(2e-5);
  }
#pragma omp taskwait
}

// How many tasks had run when their maker went on.
static int make(int (*maker)(double), double seconds) {
  int at_once = 0;
  memset(ran, 0, sizeof ran);
#pragma omp parallel shared(at_once)
#pragma omp single
  {
    make_long_ones();
    at_once = maker(seconds);
  }
  for (int i = 0; i < kTasks; i++) EXPECT(has_run(i), "task %d", i);
  return at_once;
}

// On a busy machine a maker may lose its core, and with it the trust in its tasks; or others its kept tasks to run.
static void check(int (*maker)(double)) {
  double end = seconds() + kPatience;
  for (int score = 0; score < kRegions;) {
    score = make(maker, 0.0) == kTasks ? score + 1 : score / 2;
    EXPECT(seconds() < end, "empty tasks are kept");
  }
  // One thread has nobody to keep them for.
  if (omp_get_max_threads() == 1) return;
  while (make(maker, 2e-4) > kTasks / 2) EXPECT(seconds() < end, "long tasks are called");
}

int main(void) {
  check(plain);
  check(dependent);
  return 0;
}
