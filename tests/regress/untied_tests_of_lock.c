// SPDX-License-Identifier: Apache-2.0
// Untied tasks test a lock in loops while its holder, an untied task too, lets others go first. They follow each other
// on a worker whenever a test was in vain, and the holder was kept from going on for good.
#include <omp.h>
#include <sched.h>

#include "expect.h"

enum { ROUNDS = 60, TASKS = 5, PARTS = 2 };

static omp_lock_t lock;
static int counted;

static void count_under_lock(void) {
  while (!omp_test_lock(&lock)) {}
  counted++;
  sched_yield();
  omp_unset_lock(&lock);
}

static void make_parts(void) {
  for (int i = 0; i < PARTS; i++) {
#pragma omp task untied
    count_under_lock();
  }
  for (volatile int i = 0; i < 800; i++) {}
}

int main(void) {
  int n = omp_get_max_threads();
  omp_init_lock(&lock);
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      make_parts();
#pragma omp taskwait
    }
  }
  omp_destroy_lock(&lock);
  EXPECT_EQ(counted, n * ROUNDS * TASKS * PARTS);
  return 0;
}
