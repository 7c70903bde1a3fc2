// SPDX-License-Identifier: Apache-2.0
// default(firstprivate) and default(private) on regions, tasks and taskloops (OpenMP 5.2 §5.4.1).
#include <omp.h>
#include "expect.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), value = 7, count = 0;
#pragma omp parallel default(firstprivate) shared(count, n)
  {
    EXPECT_EQ(value, 7);
    value += omp_get_thread_num();
#pragma omp barrier
    EXPECT_EQ(value, 7 + omp_get_thread_num());
#pragma omp atomic
    count++;
  }
  EXPECT_EQ(count, n);
  EXPECT_EQ(value, 7);
#pragma omp parallel default(private) shared(count)
  {
    value = omp_get_thread_num();
#pragma omp barrier
    EXPECT_EQ(value, omp_get_thread_num());
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task default(firstprivate) shared(count)
      {
        EXPECT(i >= 0 && i < 30, "%d", i);
#pragma omp atomic
        count += i;
      }
    }
#pragma omp single
#pragma omp taskloop default(firstprivate) shared(count)
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
      count -= i;
    }
  }
  EXPECT_EQ(count, n);
  EXPECT_EQ(value, 7);
  return 0;
}
