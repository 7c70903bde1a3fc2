// SPDX-License-Identifier: Apache-2.0
// inoutset tasks are unordered among themselves and ordered after and before all others, and
// omp_all_memory depends on every earlier sibling (OpenMP 5.2 §15.9.5).
#include <omp.h>
#include "expect.h"

static void check_inoutset(void) {
  int value = 0, members = 0, together = 0, n = omp_get_num_threads();
#pragma omp task depend(out : value) shared(value)
  {
    usleep(100);
    value = 1;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task depend(inoutset : value) shared(value, members, together)
    {
      EXPECT_EQ(value, 1);
      __atomic_fetch_add(&together, 1, __ATOMIC_SEQ_CST);
      while (n > 1 && __atomic_load_n(&together, __ATOMIC_SEQ_CST) < 2) usleep(50);
      __atomic_fetch_add(&members, 1, __ATOMIC_SEQ_CST);
    }
  }
#pragma omp task depend(in : value) shared(value, members)
  {
    EXPECT_EQ(members, 2);
  }
#pragma omp task depend(inoutset : value) shared(members)
  __atomic_fetch_add(&members, 1, __ATOMIC_SEQ_CST);
#pragma omp task depend(inout : value) shared(members)
  EXPECT_EQ(members, 3);
#pragma omp taskwait
}

static void check_all_memory(void) {
  int a = 0, b = 0, done = 0, late = 0;
#pragma omp task depend(out : a) shared(a)
  {
    usleep(100);
    a = 1;
  }
#pragma omp task depend(in : b) shared(b, done)
  {
    usleep(50);
    done = 1;
  }
#pragma omp task depend(out : omp_all_memory) shared(a, b, done, late)
  {
    EXPECT_EQ(a, 1);
    EXPECT_EQ(done, 1);
    EXPECT_EQ(late, 0);
    usleep(50);
    b = 2;
  }
#pragma omp task depend(in : a) shared(b, late)
  {
    EXPECT_EQ(b, 2);
    late = 1;
  }
#pragma omp task depend(inout : omp_all_memory) shared(late)
  EXPECT_EQ(late, 1);
#pragma omp taskwait
}

int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_inoutset();
      check_all_memory();
    }
  }
  return 0;
}
