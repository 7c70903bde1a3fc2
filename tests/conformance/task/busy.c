// SPDX-License-Identifier: Apache-2.0
// A binary tree of untied tasks keeps both workers busy all the time: every 64th leaf waits until
// another one runs beside it (RECURSIVE of the P-SOCRATES runtime, ch. 6). While a task waits for its
// children, at the end of a taskgroup, for a dependence or for a lock, its worker runs others.
#include <omp.h>
#include "expect.h"

enum { kDepth = 11, kEvery = 64 };

static int leaves, arrived[(1 << kDepth) / kEvery];

static void leaf(int threads) {
  int number = __atomic_fetch_add(&leaves, 1, __ATOMIC_SEQ_CST);
  int *meeting = &arrived[number / kEvery];
  if (threads == 1 || number % kEvery > 1) return;
  __atomic_fetch_add(meeting, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(meeting, __ATOMIC_SEQ_CST) < 2) usleep(5);
}

static void tree(int depth, int threads) {
  if (depth == 0) {
    leaf(threads);
    return;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task untied
    tree(depth - 1, threads);
  }
#pragma omp taskwait
}

// More tasks than workers hold a lock in turn; who waits for it keeps no worker.
static void check_lock(void) {
  omp_lock_t lock;
  int held = 0, free_to_go = 0;
  omp_init_lock(&lock);
#pragma omp parallel shared(lock, held, free_to_go)
#pragma omp single
  {
    int threads = omp_get_num_threads();
    omp_set_lock(&lock);
    for (int i = 0; i < 4 && threads > 1; i++) {
#pragma omp task untied shared(lock, held)
      {
        omp_set_lock(&lock);
        held++;
        omp_unset_lock(&lock);
      }
    }
#pragma omp task untied shared(free_to_go)
    __atomic_store_n(&free_to_go, 1, __ATOMIC_SEQ_CST);
    while (threads > 1 && !__atomic_load_n(&free_to_go, __ATOMIC_SEQ_CST)) usleep(5);
    omp_unset_lock(&lock);
#pragma omp taskwait
    EXPECT_EQ(held, threads > 1 ? 4 : 0);
  }
  omp_destroy_lock(&lock);
}

enum { kWaiters = 6, kAtTaskwait = 0, kAtGroup, kAtDependence, kKinds };

static omp_event_handle_t events[kWaiters];
static int announced, went_on;

// Leaves a child behind that is complete when the opener says so.
static void make_child(int i, int *cell) {
  omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(out : cell[0])
  {
  }
  events[i] = event;
  __atomic_fetch_add(&announced, 1, __ATOMIC_SEQ_CST);
}

static void wait_at(int kind, int i) {
  int cell[1] = {0};
  if (kind == kAtGroup) {
#pragma omp taskgroup
    make_child(i, cell);
  } else {
    make_child(i, cell);
  }
  if (kind == kAtDependence) {
#pragma omp task if (0) depend(in : cell[0])
    __atomic_fetch_add(&went_on, 1, __ATOMIC_SEQ_CST);
  }
#pragma omp taskwait
  if (kind != kAtDependence) __atomic_fetch_add(&went_on, 1, __ATOMIC_SEQ_CST);
}

// More tasks wait than there are workers, and the one that lets them go on comes last.
static void check_waiting(int kind) {
  announced = went_on = 0;
#pragma omp parallel
#pragma omp single
  if (omp_get_num_threads() > 1) {
    for (int i = 0; i < kWaiters; i++) {
#pragma omp task untied firstprivate(kind, i)
      wait_at(kind, i);
    }
#pragma omp task untied
    {
      while (__atomic_load_n(&announced, __ATOMIC_SEQ_CST) < kWaiters) {
#pragma omp taskyield
      }
      EXPECT_EQ(went_on, 0);
      for (int i = 0; i < kWaiters; i++) omp_fulfill_event(events[i]);
    }
  }
  EXPECT_EQ(went_on, omp_get_max_threads() > 1 ? kWaiters : 0);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 3; round++) {
    leaves = 0;
    for (int i = 0; i < (1 << kDepth) / kEvery; i++) arrived[i] = 0;
#pragma omp parallel
#pragma omp single
    tree(kDepth, omp_get_num_threads());
    EXPECT_EQ(leaves, 1 << kDepth);
    check_lock();
    for (int kind = 0; kind < kKinds; kind++) check_waiting(kind);
  }
  return 0;
}
