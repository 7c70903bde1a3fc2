// SPDX-License-Identifier: Apache-2.0
// Threads blocked in the system while others have tasks to run: a member reads from a pipe that a
// task of another member writes to; a member spins until a task made by another has run.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int pipes[2];

static void run_read(void) {
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 0) {
      char byte = 0;
      EXPECT_EQ(read(pipes[0], &byte, 1), 1);
      EXPECT_EQ(byte, 'x');
    } else if (omp_get_thread_num() == 1) {
#pragma omp task
      EXPECT_EQ(write(pipes[1], "x", 1), 1);
#pragma omp taskwait
    }
  }
}

static void run_spin(int n) {
  int flags[64] = {0};
#pragma omp parallel num_threads(n) shared(flags)
  {
    int self = omp_get_thread_num();
#pragma omp task if (0) shared(flags)
    set_flag(&flags[self]);
    spin_until_set(&flags[(self + 1) % n]);
  }
}

int main(void) {
  omp_set_dynamic(0);
  EXPECT_EQ(pipe(pipes), 0);
  for (int round = 0; round < 5; round++) run_read();
  run_spin(omp_get_max_threads());
  return 0;
}
