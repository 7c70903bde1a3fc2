// SPDX-License-Identifier: Apache-2.0
// As goes_on.c, for what needs memory of its own: locks that are waited for, ordered and doacross
// loops, monotonic ones, sections, copyprivate, threadprivate data, task reductions, taskloops, tasks
// that wait for each other by dependences, allocators, pthreads that come and go.
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "expect.h"

__attribute__((weak)) void arm_failures(int on);

enum { THREADS = 4, ROUNDS = 40 };

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int kept = 3;
#pragma omp threadprivate(kept)

static void exclude(void) {
  int sums[3] = {0, 0, 0}, members = 0;
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp atomic
    members++;
    for (int i = 0; i < ROUNDS; i++) {
      omp_set_lock(&lock);
      sums[0]++;
      if (i % 8 == 0) usleep(10);
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      sums[1]++;
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
#pragma omp critical(named)
      sums[2]++;
    }
  }
  for (int i = 0; i < 3; i++) EXPECT_EQ(sums[i], ROUNDS * members);
}

static void share(void) {
  int order = 0, line[ROUNDS] = {0}, sections = 0, told = 0, wrong = 0, members = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : told, wrong, members)
  {
    int value = 0;
    members++;
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp ordered
      wrong += order++ != i;
    }
#pragma omp for ordered(1) schedule(dynamic, 2)
    for (int i = 1; i < ROUNDS; i++) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = line[i - 1] + i;
#pragma omp ordered depend(source)
    }
#pragma omp sections reduction(+ : sections)
    {
#pragma omp section
      sections++;
#pragma omp section
      sections++;
#pragma omp section
      sections++;
    }
#pragma omp single copyprivate(value)
    value = 77;
    told += value;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(order, ROUNDS);
  EXPECT_EQ(line[ROUNDS - 1], ROUNDS * (ROUNDS - 1) / 2);
  EXPECT_EQ(sections, 3);
  EXPECT_EQ(told, 77 * members);
}

static void make_tasks(void) {
  int sum = 0, loop = 0, chain = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
#pragma omp taskloop grainsize(3) reduction(+ : loop)
    for (int i = 0; i < 10 * ROUNDS; i++) loop += i;
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task depend(inout : chain) priority(i % 3)
      chain = chain * 2 % 1000 + i;
    }
#pragma omp taskwait
  }
  int expected = 0;
  for (int i = 0; i < ROUNDS; i++) expected = expected * 2 % 1000 + i;
  EXPECT_EQ(sum, ROUNDS * (ROUNDS - 1) / 2);
  EXPECT_EQ(loop, 10 * ROUNDS * (10 * ROUNDS - 1) / 2);
  EXPECT_EQ(chain, expected);
}

static void keep_data(void) {
  int wrong = 0;
  kept = 5;
#pragma omp parallel num_threads(THREADS) copyin(kept) reduction(+ : wrong)
  {
    wrong += kept != 5;
    kept += omp_get_thread_num();
#pragma omp barrier
    void *memory = omp_alloc(100, omp_default_mem_alloc);
    if (memory != NULL) memset(memory, 1, 100);
    omp_free(memory, omp_default_mem_alloc);
  }
  EXPECT_EQ(wrong, 0);
}

static void *run_all(void *argument) {
  exclude();
  share();
  make_tasks();
  return argument;
}

int main(void) {
  pthread_t thread;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  if (arm_failures != NULL) arm_failures(1);
  run_all(NULL);
  keep_data();
  if (pthread_create(&thread, NULL, run_all, NULL) == 0) pthread_join(thread, NULL);
  if (arm_failures != NULL) arm_failures(0);
  puts("went on");
  return 0;
}
