// SPDX-License-Identifier: Apache-2.0
// A tied task stays with its thread over every scheduling point: its number and its threadprivate data
// are the same after taskwait, taskyield, a critical section and a lock.
#include <omp.h>
#include "expect.h"

static int mark;
#pragma omp threadprivate(mark)

static omp_lock_t lock;

static void expect_same(int thread, int *address) {
  EXPECT_EQ(omp_get_thread_num(), thread);
  EXPECT(&mark == address, "thread %d has another threadprivate address", thread);
}

static int work(int depth) {
  int thread = omp_get_thread_num(), *address = &mark, sum = 1;
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task shared(sum)
    {
      int below = work(depth - 1);
#pragma omp atomic
      sum += below;
    }
  }
#pragma omp taskyield
  expect_same(thread, address);
#pragma omp critical
  expect_same(thread, address);
  omp_set_lock(&lock);
  expect_same(thread, address);
  omp_unset_lock(&lock);
#pragma omp taskwait
  expect_same(thread, address);
  return sum;
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < 2; round++) {
    int total = 0;
#pragma omp parallel reduction(+ : total)
    {
      mark = omp_get_thread_num();
#pragma omp single
      total += work(6);
      EXPECT_EQ(mark, omp_get_thread_num());
    }
    EXPECT_EQ(total, 127);
  }
  omp_destroy_lock(&lock);
  return 0;
}
