// SPDX-License-Identifier: Apache-2.0
// Members that wait for one of their team in a call which the runtime does not see, in one region after another. The monitor
// finds out, which takes it some ticks; from then on the members of that code begin at once. With ticks as long as the test
// has them a hundred regions would take longer than its limit otherwise.
#include <omp.h>
#include <unistd.h>

#include "expect.h"

enum { kRegions = 100 };

int main(void) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  for (int r = 0; r < kRegions; r++) {
    int sum = 0, members = 0;
#pragma omp parallel reduction(+ : sum, members)
    {
      const int n = omp_get_num_threads();
      char byte = 1;
      members = 1;
      if (omp_get_thread_num() == n / 4)
        for (int i = 1; i < n; i++) EXPECT_EQ(write(ends[1], &byte, 1), 1);
      else
        EXPECT_EQ(read(ends[0], &byte, 1), 1);
      sum = byte;
    }
    EXPECT_EQ(sum, members);
  }
  return 0;
}
