// SPDX-License-Identifier: Apache-2.0
// Members that wait for each other in loops of sched_yield(), as OpenBLAS does: at barriers of their own,
// flat and in nested teams, beside tasks that others wait for. Each gets its turn: for a while all do nothing
// but give way and count how often, and nobody has less than a part of what is usual. The monitor hardly
// looks in this test.
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include "clock.h"
#include "expect.h"
#include "spin.h"

enum { rounds = 50, most = 64 };

struct barrier {
  int n, arrived, phase;
};

static void meet(struct barrier *barrier) {
  int phase = __atomic_load_n(&barrier->phase, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL) == barrier->n) {
    barrier->arrived = 0;
    __atomic_store_n(&barrier->phase, phase + 1, __ATOMIC_RELEASE);
    return;
  }
  while (__atomic_load_n(&barrier->phase, __ATOMIC_ACQUIRE) == phase) sched_yield();
}

static void meet_in_turn(struct barrier *barrier) {
  int self = omp_get_thread_num();
  for (int round = 0; round < rounds; round++) meet(barrier);
  EXPECT_EQ(omp_get_thread_num(), self);
}

static void meet_flat(int n) {
  struct barrier barrier = {n, 0, 0};
#pragma omp parallel num_threads(n)
  {
    meet_in_turn(&barrier);
#pragma omp barrier
    meet_in_turn(&barrier);
  }
  EXPECT_EQ(barrier.phase, 2 * rounds);
}

static void meet_nested(int outer, int inner) {
  struct barrier all = {outer * inner, 0, 0};
#pragma omp parallel num_threads(outer)
  {
    struct barrier own = {inner, 0, 0};
#pragma omp parallel num_threads(inner) shared(own)
    {
      meet_in_turn(&own);
      meet_in_turn(&all);
    }
  }
  EXPECT_EQ(all.phase, rounds);
}

static void wait_for_tasks(int n) {
  int done = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp single nowait
    for (int i = 0; i < n; i++) {
#pragma omp task
      __atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
    }
    if (omp_get_thread_num() + 1 < n)
      while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < n) sched_yield();
  }
}

// Tasks that give way while they hold a lock, and others that give way until they have it: whoever holds it
// goes on though each thread of the team has a task that waits for it.
static void hold_in_tasks(int n) {
  long sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 8 * n; i++) {
#pragma omp task untied if (i % 8 != 7)
    {
      while (!omp_test_lock(&lock)) sched_yield();
      for (int turn = 0; turn < 3; turn++) sched_yield();
      sum++;
      omp_unset_lock(&lock);
    }
  }
  EXPECT_EQ(sum, 8 * n);
  omp_destroy_lock(&lock);
}

// As many tasks as threads, each in the name of one, tied and not.
static void meet_in_tasks(int n) {
  struct barrier tied = {n, 0, 0}, untied = {n, 0, 0};
#pragma omp parallel num_threads(n)
  {
#pragma omp task
    for (int round = 0; round < rounds; round++) meet(&tied);
#pragma omp taskwait
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task untied
      for (int round = 0; round < rounds; round++) meet(&untied);
    }
  }
  EXPECT_EQ(tied.phase, rounds);
  EXPECT_EQ(untied.phase, rounds);
}

static int rising(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

// A thread has at least a fiftieth of the median; or one each 15 ms, for the operating system gives the core of
// one that is alone there to other processes, if there are some.
static void count_turns(int n) {
  long turns[most];
  struct barrier barrier = {n, 0, 0};
#pragma omp parallel num_threads(n)
  {
    long mine = 0;
    meet(&barrier);
    for (double end = seconds() + 0.3; seconds() < end; mine++) sched_yield();
    turns[omp_get_thread_num()] = mine;
  }
  qsort(turns, (size_t)n, sizeof *turns, rising);
  EXPECT(turns[0] * 50 >= turns[n / 2] || turns[0] >= 20,
         "%ld turns, the median has %ld, the most %ld", turns[0], turns[n / 2], turns[n - 1]);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : n >= 4 ? 2 : 1;
  meet_flat(n);
  meet_nested(n / inner, inner);
  if (n > 1) wait_for_tasks(n);
  hold_in_tasks(n);
  meet_in_tasks(n);
  count_turns(n);
  return 0;
}
