// SPDX-License-Identifier: Apache-2.0
// Locks under load: a lock held while its owner sleeps or reads, a chain of locks that
// each member holds while it waits for the next, a critical section held over a system call, and a lock
// held over a taskwait.
#include <omp.h>
#include "expect.h"

static omp_lock_t ring[64 + 1], lock;

static void run_ring(int n) {
  int order = 0, holding = 0;
  for (int i = 0; i <= n; i++) omp_init_lock(&ring[i]);
#pragma omp parallel num_threads(n) shared(order, holding)
  {
    int self = omp_get_thread_num();
    omp_set_lock(&ring[self]);
#pragma omp atomic
    holding++;
#pragma omp barrier
    omp_set_lock(&ring[self + 1]);
    EXPECT_EQ(order, n - 1 - self);
    order++;
    omp_unset_lock(&ring[self + 1]);
    omp_unset_lock(&ring[self]);
  }
  EXPECT_EQ(order, n);
  EXPECT_EQ(holding, n);
  for (int i = 0; i <= n; i++) omp_destroy_lock(&ring[i]);
}

static void run_held(int n) {
  int inside = 0, total = 0;
#pragma omp parallel num_threads(n)
  for (int i = 0; i < 3; i++) {
    omp_set_lock(&lock);
    EXPECT_EQ(inside++, 0);
    usleep(20);
    total++;
    inside--;
    omp_unset_lock(&lock);
#pragma omp critical(held)
    usleep(10);
  }
  EXPECT_EQ(total, 3 * n);
}

static void run_suspended(void) {
  int inside = 0, total = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 40; i++) {
      omp_set_lock(&lock);
      EXPECT_EQ(inside++, 0);
      int child = 0;
#pragma omp task shared(child)
      child = 1;
#pragma omp taskwait
      EXPECT_EQ(child, 1);
      total++;
      inside--;
      omp_unset_lock(&lock);
    }
  }
  EXPECT_EQ(total, 40);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  omp_init_lock(&lock);
  for (int round = 0; round < 2; round++) {
    run_ring(n);
    run_held(n);
    run_suspended();
  }
  omp_destroy_lock(&lock);
  return 0;
}
