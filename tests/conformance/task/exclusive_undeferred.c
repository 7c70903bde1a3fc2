// SPDX-License-Identifier: Apache-2.0
// An undeferred task in mutexinoutset runs beside no other one of its set (OpenMP 5.2 §15.9.5), not even
// beside one that was made before and begins later, when another dependence of it is satisfied.
#include <omp.h>
#include "expect.h"

static int inside, runs;

static void run_alone(int microseconds) {
  EXPECT_EQ(__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST), 0);
  runs++;
  usleep(microseconds);
  __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
}

static void check(void) {
  int gate = 0, begun = 0, box = 0;
  runs = 0;
#pragma omp task depend(out : gate) shared(gate, begun)
  {
    __atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
    usleep(2000);
    gate = 1;
  }
  while (omp_get_num_threads() > 1 && !__atomic_load_n(&begun, __ATOMIC_SEQ_CST)) usleep(20);
#pragma omp task depend(in : gate) depend(mutexinoutset : box) shared(gate, box)
  {
    EXPECT_EQ(gate, 1);
    run_alone(100);
    box++;
  }
#pragma omp task if (0) depend(mutexinoutset : box) shared(box)
  {
    run_alone(6000);
    box++;
  }
#pragma omp task depend(mutexinoutset : box) shared(box)
  {
    run_alone(100);
    box++;
  }
#pragma omp taskwait
  EXPECT_EQ(box, 3);
  EXPECT_EQ(runs, 3);
}

int main(void) {
  for (int round = 0; round < 5; round++) {
#pragma omp parallel
#pragma omp single
    check();
  }
  return 0;
}
