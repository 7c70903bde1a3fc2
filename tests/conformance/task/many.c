// SPDX-License-Identifier: Apache-2.0
// Many tasks from one producer, from all threads, and more alive at once than any queue's size;
// the clause affinity is accepted.
#include <omp.h>
#include "expect.h"

int main(void) {
  long sum = 0;
  int places[8] = {0};
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 20000; i++) {
#pragma omp task shared(sum) firstprivate(i)
      {
#pragma omp atomic
        sum += i % 7;
      }
    }
#pragma omp for
    for (int i = 0; i < 5000; i++) {
#pragma omp task shared(sum, places) affinity(places[i % 8])
      {
#pragma omp atomic
        sum += 10;
      }
    }
  }
  long wanted = 50000;
  for (int i = 0; i < 20000; i++) wanted += i % 7;
  EXPECT_EQ(sum, wanted);
  return 0;
}
