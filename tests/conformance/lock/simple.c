// SPDX-License-Identifier: Apache-2.0
// Simple locks: exclusion, test, many locks at once, many of them initialised and
// destroyed, use in tasks (OpenMP 5.2 §18.9).
#include <omp.h>
#include "expect.h"

static void check_exclusion(omp_lock_t *lock) {
  int inside = 0, n = 0;
  long total = 0;
#pragma omp parallel reduction(+ : n)
  {
    n++;
    for (int i = 0; i < 50; i++) {
      if (i % 5 == 0) {
        while (!omp_test_lock(lock)) usleep(10);
      } else {
        omp_set_lock(lock);
      }
      EXPECT_EQ(inside++, 0);
      total++;
      inside--;
      omp_unset_lock(lock);
    }
  }
  EXPECT_EQ(total, 50 * n);
}

static void check_held(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
#pragma omp parallel
  EXPECT_EQ(omp_test_lock(&lock), 0);
  omp_unset_lock(&lock);
  EXPECT_EQ(!!omp_test_lock(&lock), 1);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
}

static void check_many(void) {
  enum { count = 300 };
  static omp_lock_t locks[count];
  static int values[count];
  for (int i = 0; i < count; i++) omp_init_lock(&locks[i]), values[i] = 0;
#pragma omp parallel for schedule(dynamic, 9)
  for (int i = 0; i < 8 * count; i++) {
    int a = i % count, b = (a + 1) % count, first = a < b ? a : b, second = a + b - first;
    omp_set_lock(&locks[first]);
    omp_set_lock(&locks[second]);
    values[a]++;
    values[b]--;
    omp_unset_lock(&locks[first]);
    omp_unset_lock(&locks[second]);
  }
  for (int i = 0; i < count; i++) {
    EXPECT_EQ(values[i], 0);
    omp_destroy_lock(&locks[i]);
  }
}

static void check_tasks(void) {
  omp_lock_t lock;
  int value = 0;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task shared(value, lock)
    {
      omp_set_lock(&lock);
      value++;
      omp_unset_lock(&lock);
    }
  }
  EXPECT_EQ(value, 100);
  omp_destroy_lock(&lock);
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  check_exclusion(&lock);
  omp_destroy_lock(&lock);
  check_held();
  check_many();
  check_tasks();
  return 0;
}
