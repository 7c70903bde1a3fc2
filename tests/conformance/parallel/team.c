// SPDX-License-Identifier: Apache-2.0
// A team has the size that was asked for, its numbers are dense, and each member runs the region
// once; teams of changing size follow each other (OpenMP 5.2 §10.1).
#include <omp.h>
#include "expect.h"

enum { most = 70 };

static void run_team(int asked) {
  int runs[most] = {0}, size = 0;
#pragma omp parallel num_threads(asked) default(none) shared(runs, size)
  {
    int self = omp_get_thread_num();
#pragma omp atomic
    runs[self]++;
    if (self == 0) size = omp_get_num_threads();
  }
  EXPECT_EQ(size, asked);
  for (int i = 0; i < most; i++) EXPECT_EQ(runs[i], i < asked ? 1 : 0);
}

static void run_default(int n) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    EXPECT_EQ(omp_get_num_threads(), n);
    EXPECT_EQ(omp_in_parallel(), n > 1);
    members++;
  }
  EXPECT_EQ(members, n);
}

static void run_serial(int condition) {
  int members = 0, outside = 1;
#pragma omp parallel if (condition) reduction(+ : members) shared(outside)
  {
    members++;
    EXPECT_EQ(omp_get_thread_num(), 0);
    EXPECT_EQ(omp_get_num_threads(), 1);
    EXPECT_EQ(omp_get_level(), 1);
    EXPECT_EQ(omp_get_active_level(), 0);
    outside = 2;
  }
  EXPECT_EQ(members, 1);
  EXPECT_EQ(outside, 2);
}

int main(int argc, char **argv) {
  (void)argv;
  int n = omp_get_max_threads();
  omp_set_dynamic(0);
  run_default(n);
  run_serial(argc > 100);
  for (int size = 1; size <= n; size *= 2) run_team(size);
  for (int size = n; size >= 1; size /= 2) run_team(size);
  for (int round = 0; round < 8; round++) run_team(round % 2 ? n : 1 + n / 2);
  run_default(n);
  omp_set_num_threads(3);
  run_default(3);
  EXPECT_EQ(omp_in_parallel(), 0);
  EXPECT_EQ(omp_get_thread_num(), 0);
  return 0;
}
