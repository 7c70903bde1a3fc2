// SPDX-License-Identifier: Apache-2.0
// Locks and nestable locks initialised with each hint exclude as plain ones do (OpenMP 5.2 §18.9.2).
#include <omp.h>
#include "expect.h"

static void check_simple(omp_sync_hint_t hint) {
  omp_lock_t lock;
  int inside = 0, n = 0;
  long total = 0;
  omp_init_lock_with_hint(&lock, hint);
#pragma omp parallel reduction(+ : n)
  {
    n++;
    for (int i = 0; i < 50; i++) {
      omp_set_lock(&lock);
      EXPECT_EQ(inside++, 0);
      total++;
      inside--;
      omp_unset_lock(&lock);
    }
  }
  EXPECT_EQ(total, 50 * n);
  omp_destroy_lock(&lock);
}

static void check_nested(omp_sync_hint_t hint) {
  omp_nest_lock_t lock;
  long total = 0;
  int n = 0;
  omp_init_nest_lock_with_hint(&lock, hint);
#pragma omp parallel reduction(+ : n)
  {
    n++;
    for (int i = 0; i < 20; i++) {
      omp_set_nest_lock(&lock);
      EXPECT_EQ(omp_test_nest_lock(&lock), 2);
      total++;
      omp_unset_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
    }
  }
  EXPECT_EQ(total, 20 * n);
  omp_destroy_nest_lock(&lock);
}

int main(void) {
  static const omp_sync_hint_t hints[] = {
      omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended,
      omp_sync_hint_nonspeculative, omp_sync_hint_speculative,
      (omp_sync_hint_t)(omp_sync_hint_contended | omp_sync_hint_speculative)};
  for (int h = 0; h < 6; h++) {
    check_simple(hints[h]);
    check_nested(hints[h]);
  }
  return 0;
}
