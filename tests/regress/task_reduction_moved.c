// SPDX-License-Identifier: Apache-2.0
// An untied task with in_reduction that waits before it adds: it has the address of one thread's copy,
// and nobody else may add to that at the same time.
#include <omp.h>
#include "expect.h"

enum { ROUNDS = 1500, TASKS = 20, INNER = 3 };

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    long sum = 1, inner = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i) shared(inner) untied
      {
        long small = 0;
#pragma omp taskgroup task_reduction(+ : small)
        for (int k = 0; k < INNER; k++) {
#pragma omp task in_reduction(+ : small) untied firstprivate(k)
          small += k + 1;
        }
#pragma omp atomic
        inner += small;
        sum += i + 1;
      }
      sum += 5;
    }
    EXPECT_EQ(sum, 1 + 5L * TASKS + TASKS * (TASKS + 1) / 2);
    EXPECT_EQ(inner, (long)TASKS * INNER * (INNER + 1) / 2);
  }
  return 0;
}
