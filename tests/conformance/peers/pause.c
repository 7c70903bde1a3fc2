// SPDX-License-Identifier: Apache-2.0
// A soft pause: libgomp ends all threads but the calling one, with their threadprivate data; libomp keeps them.
#include <omp.h>
#include "expect.h"

static int value;
#pragma omp threadprivate(value)

static void set(void) {
#pragma omp parallel num_threads(4)
  value = 10 + omp_get_thread_num();
}

static void expect_values(int kept) {
  int seen[4] = {-1, -1, -1, -1};
#pragma omp parallel num_threads(4)
  seen[omp_get_thread_num()] = value;
  EXPECT_EQ(seen[0], 10);
  for (int i = 1; i < 4; i++) EXPECT_EQ(seen[i], kept ? 10 + i : 0);
}

int main(void) {
  omp_set_dynamic(0);
  int inside = 0, host = omp_get_initial_device();
  for (int round = 0; round < 3; round++) {
    set();
    EXPECT_EQ(omp_pause_resource(omp_pause_soft, host), 0);
#ifdef __clang__
    expect_values(1);
#else
    expect_values(0);
#endif
    set();
    EXPECT_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    expect_values(0);
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  inside = omp_pause_resource(omp_pause_hard, host);
  EXPECT(inside != 0, "paused inside of a region");
  return 0;
}
