// SPDX-License-Identifier: Apache-2.0
// Computes in members after a barrier, in tasks, in tasks of theirs and in a nested region, so that a profiler finds it
// on every kind of stack. A store behind each call keeps compilers from making it a jump.
#include <omp.h>

static volatile double sink;

__attribute__((noinline)) static void compute(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += 1.0 / (i + 1);
  sink = sum;
}

__attribute__((noinline)) static void in_member(void) {
#pragma omp barrier
  compute(2000000);
  sink = 1;
}

__attribute__((noinline)) static void in_task(void) {
#pragma omp task
  {
    compute(2000000);
    sink = 1;
  }
#pragma omp taskwait
  compute(1000000);
  sink = 1;
}

__attribute__((noinline)) static void nested(void) {
#pragma omp parallel num_threads(3)
  {
    compute(1000000);
    sink = 1;
  }
  sink = 1;
}

__attribute__((noinline)) static void region(void) {
#pragma omp parallel num_threads(6)
  {
    in_member();
#pragma omp task
    {
      in_task();
      sink = 1;
    }
    nested();
    sink = 1;
  }
  sink = 1;
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int i = 0; i < 4; ++i) region();
  return 0;
}
