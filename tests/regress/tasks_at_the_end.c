// SPDX-License-Identifier: Apache-2.0
// Tasks that are queued when their maker comes to the end of the region begin at once. It polled first, for
// twenty microseconds and more, where the team is announced at another worker than its own: each region of
// few tasks paid that. The least of many, for that tells nothing of how busy the machine is.
#include <omp.h>

#include "expect.h"

enum { TIMES = 2000 };
static const double LONGEST = 10e-6;

int main(void) {
  double least = 1;
  for (int i = 0; i < TIMES; i++) {
    double made = 0, began = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task priority(1) shared(began)
      began = omp_get_wtime();
#pragma omp task priority(1)
      {
      }
      made = omp_get_wtime();
    }
    if (began - made < least) least = began - made;
  }
  EXPECT(least < LONGEST, "the first task begins %.1f us late", least * 1e6);
  return 0;
}
