// SPDX-License-Identifier: Apache-2.0
// Two tasks of one thread wait for a lock: the first below a nested region that the thread has opened
// since, the second in that region. The first cannot go on before the region ends, so the second must
// be told too when the lock is free.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int waits, taken;

static void hold_nested(omp_nest_lock_t *lock) {
  omp_set_nest_lock(lock);
  taken++;
  omp_unset_nest_lock(lock);
}

static void hold(omp_lock_t *lock) {
  omp_set_lock(lock);
  taken++;
  omp_unset_lock(lock);
}

#define WAIT_TWICE(type, init, set, unset, take)     \
  do {                                               \
    type lock;                                       \
    init(&lock);                                     \
    waits = taken = 0;                               \
    _Pragma("omp parallel num_threads(2)")           \
    if (omp_get_thread_num() == 0) {                 \
      set(&lock);                                    \
      _Pragma("omp task") {                          \
        _Pragma("omp task") {                        \
          _Pragma("omp parallel num_threads(1)") {   \
            set_flag(&waits);                        \
            take(&lock);                             \
          }                                          \
        }                                            \
        take(&lock);                                 \
      }                                              \
      spin_until_set(&waits);                        \
      double start = omp_get_wtime();                \
      while (omp_get_wtime() - start < 0.02) {       \
      }                                              \
      unset(&lock);                                  \
    }                                                \
    EXPECT_EQ(taken, 2);                             \
  } while (0)

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  WAIT_TWICE(omp_lock_t, omp_init_lock, omp_set_lock, omp_unset_lock, hold);
  WAIT_TWICE(omp_nest_lock_t, omp_init_nest_lock, omp_set_nest_lock, omp_unset_nest_lock, hold_nested);
  return 0;
}
