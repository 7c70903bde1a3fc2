// SPDX-License-Identifier: Apache-2.0
// Clauses that OpenMP 6.0 widened: default on target, self maps, array sections without a length,
// atomic within order(concurrent), no_openmp_constructs, severity and message on parallel,
// groupprivate. clang 22 reads nowait with an argument and takes it for true.
#include <omp.h>
#include "expect.h"

static int of_group;
#pragma omp groupprivate(of_group)

static void check_target(void) {
  int value = 3, result = 0, array[8] = {0}, *whole = array;
#pragma omp target default(firstprivate) map(tofrom : result)
  {
    value += 4;
    result = value;
  }
  EXPECT_EQ(value, 3);
  EXPECT_EQ(result, 7);
#pragma omp target map(self : result)
  result = 11;
  EXPECT_EQ(result, 11);
#pragma omp target map(tofrom : whole[:])
  whole[5] = 6;
  EXPECT_EQ(array[5], 6);
}

static void check_concurrent(void) {
  int sum = 0;
#pragma omp parallel for order(unconstrained : concurrent)
  for (int i = 0; i < 300; i++) {
#pragma omp atomic
    sum += i;
  }
#pragma omp parallel loop
  for (int i = 0; i < 300; i++) {
#pragma omp atomic update
    sum += i;
  }
  EXPECT_EQ(sum, 300 * 299);
}

static void check_parallel(int n) {
  int team = 0;
#pragma omp parallel severity(fatal) message("no team")
  {
#pragma omp assume no_openmp_constructs
    EXPECT_EQ(omp_get_num_threads(), n);
#pragma omp atomic
    team++;
  }
  EXPECT_EQ(team, n);
  of_group = 5;
  EXPECT_EQ(of_group, 5);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  check_target();
  check_concurrent();
  check_parallel(n);
  return 0;
}
