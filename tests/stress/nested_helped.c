// SPDX-License-Identifier: Apache-2.0
// While the initial thread of a region waits at its end, its OS thread begins members of a region inside of it that
// another member has encountered: nobody else would, for all other workers have something to do.
// (It may have fallen asleep where others use its core, so there are many regions.)
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>

#include "expect.h"

static int met;

static int on_initial(void) { return gettid() == getpid(); }

// Whether the second has come while the first one was there.
static void meet(int *arrived) {
  if (__atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL) == 2) return;
  for (double end = omp_get_wtime() + 0.02; omp_get_wtime() < end;)
    if (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) == 2) {
      __atomic_store_n(&met, 1, __ATOMIC_RELAXED);
      return;
    }
}

int main(void) {
  if (omp_get_num_procs() < 2) return 0;
  omp_set_max_active_levels(2);
  for (double end = omp_get_wtime() + 20; !met && omp_get_wtime() < end;) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1 && !on_initial()) {
      int arrived = 0;
#pragma omp parallel num_threads(2)
      meet(&arrived);
    }
  }
  EXPECT_EQ(met, 1);
  return 0;
}
