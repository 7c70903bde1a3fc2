// SPDX-License-Identifier: Apache-2.0
// target nowait and depend make target tasks that order with host tasks; update, enter and exit data
// take part (OpenMP 5.2 §13.8).
#include <omp.h>
#include "expect.h"

static void check_chain(void) {
  int value = 0;
  for (int i = 0; i < 12; i++) {
    if (i % 3 == 0) {
#pragma omp target nowait depend(inout : value) map(tofrom : value)
      value = value * 2 + 1;
    } else if (i % 3 == 1) {
#pragma omp task depend(inout : value) shared(value)
      value = value * 2 + 1;
    } else {
#pragma omp target update to(value) nowait depend(inout : value)
#pragma omp target depend(inout : value) map(tofrom : value)
      value = value * 2 + 1;
    }
  }
#pragma omp taskwait
  EXPECT_EQ(value, (1 << 12) - 1);
}

static void check_data_tasks(void) {
  int array[50] = {0}, done = 0;
#pragma omp target enter data map(to : array) nowait depend(out : array)
#pragma omp target nowait depend(inout : array) map(array)
  for (int i = 0; i < 50; i++) array[i] = i;
#pragma omp target exit data map(from : array) nowait depend(inout : array)
#pragma omp task depend(in : array) shared(array, done)
  {
    EXPECT_EQ(array[49], 49);
    done = 1;
  }
#pragma omp taskwait
  EXPECT_EQ(done, 1);
}

static void check_group(void) {
  int sum = 0;
#pragma omp taskgroup
  for (int i = 0; i < 30; i++) {
#pragma omp target nowait firstprivate(i) map(tofrom : sum)
    {
#pragma omp atomic
      sum += i;
    }
  }
  EXPECT_EQ(sum, 435);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_chain();
      check_data_tasks();
      check_group();
    }
    check_chain();
  }
  return 0;
}
