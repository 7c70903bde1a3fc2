// SPDX-License-Identifier: Apache-2.0
// omp_get_proc_bind in a region with a clause proc_bind. In libomp it tells of bind-var alone; in libgomp the
// clause is what regions inside find.
#include <omp.h>
#include <string.h>
#include "expect.h"

static int inside(int level) {
  int bind = -1, nested = -1;
#pragma omp parallel num_threads(2) proc_bind(spread)
  if (omp_get_thread_num() == 1) {
    bind = omp_get_proc_bind();
#pragma omp parallel num_threads(2)
#pragma omp master
    nested = omp_get_proc_bind();
  }
  return level == 1 ? bind : nested;
}

static int nested_clause(void) {
  int bind = -1;
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp master
#pragma omp parallel num_threads(1) proc_bind(close)
  bind = omp_get_proc_bind();
  return bind;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  const char *said = getenv("OMP_PROC_BIND");
  int outside = omp_get_proc_bind();
  if (strcmp(said, "false") == 0) {
    EXPECT_EQ(inside(1), omp_proc_bind_false);
    EXPECT_EQ(nested_clause(), omp_proc_bind_false);
  } else if (strcmp(said, "close") == 0) {
#ifdef __clang__
    EXPECT_EQ(inside(1), omp_proc_bind_close);
    EXPECT_EQ(inside(2), omp_proc_bind_close);
#else
    EXPECT_EQ(inside(1), omp_proc_bind_spread);
    EXPECT_EQ(inside(2), omp_proc_bind_spread);
#endif
    EXPECT_EQ(nested_clause(), omp_proc_bind_close);
  } else {
    EXPECT(strcmp(said, "spread,close,master") == 0, "%s", said);
    EXPECT_EQ(inside(1), omp_proc_bind_close);
    EXPECT_EQ(inside(2), omp_proc_bind_master);
    EXPECT_EQ(nested_clause(), omp_proc_bind_master);
  }
  EXPECT_EQ(omp_get_proc_bind(), outside);
  return 0;
}
