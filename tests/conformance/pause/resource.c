// SPDX-License-Identifier: Apache-2.0
// omp_pause_resource and _all, soft and hard, outside of regions: resources come back at the next
// use; threadprivate data survives a soft pause (OpenMP 5.2 §18.6).
#include <omp.h>
#include "expect.h"

static int kept;
#pragma omp threadprivate(kept)

static void use(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; i++) sum += i;
#pragma omp task
    (void)0;
  }
  EXPECT_EQ(sum, 4950);
}

int main(void) {
  omp_set_dynamic(0);
  int host = omp_get_initial_device();
  for (int round = 0; round < 3; round++) {
    use();
    EXPECT_EQ(omp_pause_resource(omp_pause_hard, host), 0);
    use();
    EXPECT_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    use();
    kept = 5;
    EXPECT_EQ(omp_pause_resource(omp_pause_soft, host), 0);
    EXPECT_EQ(kept, 5);
    use();
    EXPECT_EQ(omp_pause_resource_all(omp_pause_soft), 0);
  }
  return 0;
}
