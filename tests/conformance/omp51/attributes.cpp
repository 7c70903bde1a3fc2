// SPDX-License-Identifier: Apache-2.0
// Directives written as C++ attributes, alone and in sequences (OpenMP 5.2 §3.1).
#include <omp.h>
#include "expect.h"

static int own = 3;
[[omp::directive(threadprivate(own))]];

int main() {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), sum = 0, team = 0, tasks = 0;
  [[omp::directive(parallel for reduction(+ : sum) schedule(dynamic))]]
  for (int i = 0; i < 100; i++) sum += i;
  EXPECT_EQ(sum, 4950);
  [[omp::sequence(directive(parallel), directive(critical))]] {
    team++;
    own = omp_get_thread_num();
  }
  EXPECT_EQ(team, n);
  [[omp::sequence(omp::directive(parallel), omp::directive(single))]] {
    for (int i = 0; i < 20; i++) {
      [[omp::directive(task shared(tasks))]] {
        [[omp::directive(atomic)]] tasks++;
      }
    }
    [[omp::directive(taskwait)]];
    EXPECT_EQ(tasks, 20);
  }
  [[omp::directive(parallel)]] EXPECT_EQ(own, omp_get_thread_num());
  return 0;
}
