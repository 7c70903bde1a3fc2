// SPDX-License-Identifier: Apache-2.0
// The task modifier: tasks that take part by in_reduction in a reduction of a region, a loop or
// sections (OpenMP 5.2 §5.5.5).
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  long sum = 5;
  int largest = -1, counts[3] = {0, 0, 0};
#pragma omp parallel reduction(task, + : sum, counts) reduction(task, max : largest)
  {
    int self = omp_get_thread_num();
    sum += 1;
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum, counts) in_reduction(max : largest)
      {
        sum += i;
        counts[i % 3]++;
        if (self * 100 + i > largest) largest = self * 100 + i;
#pragma omp task in_reduction(+ : sum)
        sum += 1000;
      }
    }
  }
  EXPECT_EQ(sum, 5 + n * (1 + 45 + 10 * 1000));
  EXPECT_EQ(largest, (n - 1) * 100 + 9);
  EXPECT_EQ(counts[0], 4 * n);
  EXPECT_EQ(counts[2], 3 * n);
  long looped = 0;
#pragma omp parallel
  {
#pragma omp for reduction(task, + : looped) schedule(dynamic)
    for (int i = 0; i < 50; i++) {
      looped += 1;
#pragma omp task in_reduction(+ : looped)
      looped += 100;
    }
    EXPECT_EQ(looped, 50 * 101);
  }
  long sectioned = 0;
#pragma omp parallel sections reduction(task, + : sectioned)
  {
#pragma omp section
    {
#pragma omp task in_reduction(+ : sectioned)
      sectioned += 3;
    }
#pragma omp section
    sectioned += 4;
  }
  EXPECT_EQ(sectioned, 7);
  return 0;
}
