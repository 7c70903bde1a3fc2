// SPDX-License-Identifier: Apache-2.0
// Members that spin until a task has been run which nobody is left to run but the encountering thread: it
// is at the end of its region, and may have called them on top of its frames there.
#include <omp.h>
#include <stdatomic.h>

#include "expect.h"

enum { ROUNDS = 4, MOST = 64 };

static atomic_int made[MOST];
static _Thread_local int own;  // each thread has a TLS block

static void clear(void) {
  for (int i = 0; i < MOST; i++) atomic_store(&made[i], 0);
}

static void spin_until(atomic_int *flag) {
  while (!atomic_load(flag)) {}
}

static void of_encountering_thread(int n) {
  clear();
#pragma omp parallel num_threads(n)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    atomic_store(&made[0], 1);
  } else {
    spin_until(&made[0]);
  }
  EXPECT_EQ(atomic_load(&made[0]), 1);
}

static void of_the_others(int n) {
  clear();
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
    if (me != 0) {
      own = me;
#pragma omp task
      atomic_store(&made[me], 1);
      spin_until(&made[me]);
      EXPECT_EQ(own, me);
    }
  }
}

// A tied task in the encountering thread's name waits, and can go on while a member spins for it.
static void of_waiting_task(int n) {
  clear();
#pragma omp parallel num_threads(n)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    {
#pragma omp task
      atomic_store(&made[0], 1);
#pragma omp taskwait
      atomic_store(&made[1], 1);
    }
#pragma omp taskyield
  } else {
    spin_until(&made[1]);
  }
}

int main(void) {
  int n = omp_get_max_threads();
  EXPECT(n <= MOST, "%d threads", n);
  omp_set_dynamic(0);
  for (int round = 0; round < ROUNDS; round++) {
    of_encountering_thread(n);
    of_the_others(n);
    if (n > 1) of_waiting_task(n);
  }
  return 0;
}
