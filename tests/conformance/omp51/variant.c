// SPDX-License-Identifier: Apache-2.0
// declare variant by construct, condition, implementation, device and score; begin declare variant
// (OpenMP 5.2 §7.5).
#include <omp.h>
#include "expect.h"

int in_parallel(void) { return 100 + omp_get_num_threads(); }
int in_loop(void) { return 200 + omp_get_num_threads(); }
#pragma omp declare variant(in_parallel) match(construct = {parallel})
#pragma omp declare variant(in_loop) match(construct = {parallel, for})
int place(void) { return 1; }

int wanted(int value) { return value + 10; }
int unwanted(int value) { return value + 1000; }
#pragma omp declare variant(unwanted) match(user = {condition(0)})
#pragma omp declare variant(wanted) match(user = {condition(1)})
int conditional(int value) { return value; }

int low(void) { return 5; }
int high(void) { return 6; }
#pragma omp declare variant(low) match(implementation = {vendor(score(2) : llvm)})
#pragma omp declare variant(high) match(implementation = {vendor(score(9) : llvm)})
int scored(void) { return 4; }

int by_device(void) { return 1; }
#pragma omp begin declare variant match(device = {kind(host)})
int by_device(void) { return 2; }
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {kind(gpu)})
int by_device(void) { return 3; }
#pragma omp end declare variant

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  EXPECT_EQ(place(), 1);
#pragma omp parallel
  {
    EXPECT_EQ(place(), 100 + n);
#pragma omp for
    for (int i = 0; i < 20; i++) EXPECT_EQ(place(), 200 + n);
    EXPECT_EQ(conditional(omp_get_thread_num()), omp_get_thread_num() + 10);
    EXPECT_EQ(scored(), 6);
    EXPECT_EQ(by_device(), 2);
  }
  return 0;
}
