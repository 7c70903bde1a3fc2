// SPDX-License-Identifier: Apache-2.0
// taskwait with depend and nowait makes an empty task with these dependences (OpenMP 5.2 §15.5).
#include <omp.h>
#include "expect.h"

int main(void) {
  int first = 0, second = 0, joined = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : first) shared(first)
    {
      usleep(200);
      first = 1;
    }
#pragma omp taskwait depend(in : first) depend(out : second) nowait
#pragma omp task depend(in : second) shared(first, joined)
    {
      EXPECT_EQ(first, 1);
      joined = 1;
    }
  }
  EXPECT_EQ(joined, 1);
  return 0;
}
