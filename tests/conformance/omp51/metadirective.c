// SPDX-License-Identifier: Apache-2.0
// metadirective takes the variant of the first selector that holds, and else its otherwise
// clause (OpenMP 5.2 §7.4). clang 22 takes a condition that is not constant for false.
#include <omp.h>
#include "expect.h"

static int count_team(void) {
  int team = 0;
#pragma omp metadirective when(user = {condition(0)} : nothing) \
    when(user = {condition(sizeof(int) == 4)} : parallel reduction(+ : team)) otherwise(nothing)
  team += 1;
  return team;
}

static int count_one(void) {
  int team = 0;
#pragma omp metadirective when(user = {condition(0)} : parallel reduction(+ : team)) otherwise(nothing)
  team += 1;
  return team;
}

static void check_loops(int n) {
  enum { trips = 200 };
  int runner[trips], sum = 0;
#pragma omp metadirective when(implementation = {vendor(amd)} : nothing) \
    when(implementation = {vendor(llvm)} : parallel for schedule(static, 1)) otherwise(nothing)
  for (int i = 0; i < trips; i++) runner[i] = omp_get_thread_num();
  for (int i = 0; i < trips; i++) EXPECT_EQ(runner[i], i % n);
#pragma omp parallel
  {
#pragma omp metadirective when(device = {kind(gpu)} : single) when(device = {kind(host)} : for reduction(+ : sum))
    for (int i = 0; i < trips; i++) sum += i;
  }
  EXPECT_EQ(sum, trips * (trips - 1) / 2);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), barriers = 0;
  for (int round = 0; round < 3; round++) {
    EXPECT_EQ(count_team(), n);
    EXPECT_EQ(count_one(), 1);
  }
  check_loops(n);
#pragma omp parallel
  {
#pragma omp atomic
    barriers++;
#pragma omp metadirective when(user = {condition(1)} : barrier)
    EXPECT_EQ(barriers, n);
  }
  return 0;
}
