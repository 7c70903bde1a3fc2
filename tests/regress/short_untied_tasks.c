// SPDX-License-Identifier: Apache-2.0
// Short untied tasks come to be called where they are made. Clang's have parts, of which the first one only queues the
// next, and so their length was not known: each was kept for the other thread, at twenty times the cost.
#include <omp.h>

#include "expect.h"

enum { kRegions = 4000, kTasks = 512 };
static long run_by[2][16];  // a line each
static long elsewhere[2][16];

int main(void) {
  for (int region = 0; region < kRegions; region++) {
    if (region == kRegions / 2) elsewhere[0][0] = elsewhere[1][0] = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      int maker = omp_get_thread_num();
      for (int task = 0; task < kTasks; task++) {
#pragma omp task untied
        {
          int here = omp_get_thread_num();
          run_by[here][0]++;
          elsewhere[here][0] += here != maker;
        }
      }
    }
  }
  EXPECT_EQ(run_by[0][0] + run_by[1][0], (long)kRegions * kTasks);
  EXPECT(elsewhere[0][0] + elsewhere[1][0] < (long)kRegions / 4 * kTasks, "of %ld tasks %ld have run elsewhere",
         (long)kRegions / 2 * kTasks, elsewhere[0][0] + elsewhere[1][0]);
  return 0;
}
