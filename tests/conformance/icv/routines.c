// SPDX-License-Identifier: Apache-2.0
// omp_get and omp_set routines: values round trip, data-environment ICVs are inherited by regions
// and tasks, and a change stays with the task that made it (OpenMP 5.2 §2.4, §18).
#include <omp.h>
#include <time.h>
#include "expect.h"

static void check_outside(int n) {
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_get_thread_num(), 0);
  EXPECT_EQ(omp_in_parallel(), 0);
  EXPECT_EQ(omp_get_level(), 0);
  EXPECT_EQ(omp_get_active_level(), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(0), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(1), -1);
  EXPECT_EQ(omp_get_ancestor_thread_num(-1), -1);
  EXPECT_EQ(omp_get_team_size(0), 1);
  EXPECT_EQ(omp_get_team_size(1), -1);
  EXPECT_EQ(omp_get_team_size(-1), -1);
  EXPECT_EQ(omp_in_final(), 0);
  EXPECT(omp_get_num_procs() >= 1, "%d", omp_get_num_procs());
  EXPECT(omp_get_thread_limit() >= n, "%d", omp_get_thread_limit());
  EXPECT(omp_get_supported_active_levels() >= 1, "%d", omp_get_supported_active_levels());
  EXPECT(omp_get_max_task_priority() >= 0, "%d", omp_get_max_task_priority());
}

static void check_num_threads(int n) {
  omp_set_num_threads(n + 2);
  EXPECT_EQ(omp_get_max_threads(), n + 2);
#pragma omp parallel num_threads(2)
  {
    EXPECT_EQ(omp_get_max_threads(), n + 2);
    omp_set_num_threads(5 + omp_get_thread_num());
    EXPECT_EQ(omp_get_max_threads(), 5 + omp_get_thread_num());
#pragma omp task
    {
      int inherited = omp_get_max_threads();
      EXPECT(inherited == 5 || inherited == 6, "%d", inherited);
      omp_set_num_threads(9);
      EXPECT_EQ(omp_get_max_threads(), 9);
    }
#pragma omp taskwait
    EXPECT_EQ(omp_get_max_threads(), 5 + omp_get_thread_num());
  }
  EXPECT_EQ(omp_get_max_threads(), n + 2);
  omp_set_num_threads(n);
}

static void check_flags(void) {
  omp_set_dynamic(1);
  EXPECT(omp_get_dynamic(), "set to 1");
#pragma omp parallel num_threads(2)
  {
    EXPECT(omp_get_dynamic(), "inherited");
    omp_set_dynamic(0);
  }
  EXPECT(omp_get_dynamic(), "set to 0 in a region only");
  omp_set_dynamic(0);
  EXPECT_EQ(omp_get_dynamic(), 0);
  int most = omp_get_supported_active_levels();
  omp_set_max_active_levels(3);
  EXPECT_EQ(omp_get_max_active_levels(), 3);
  omp_set_max_active_levels(-4);
  EXPECT_EQ(omp_get_max_active_levels(), 3);
  if (most < 2000000000) {
    omp_set_max_active_levels(most + 1);
    EXPECT_EQ(omp_get_max_active_levels(), most);
  }
  omp_set_max_active_levels(0);
#pragma omp parallel num_threads(4)
  {
    EXPECT_EQ(omp_get_num_threads(), 1);
    EXPECT_EQ(omp_in_parallel(), 0);
  }
  omp_set_max_active_levels(1);
}

static void check_devices(void) {
  EXPECT_EQ(omp_get_num_devices(), 0);
  EXPECT_EQ(omp_is_initial_device(), 1);
  EXPECT_EQ(omp_get_initial_device(), 0);
  EXPECT_EQ(omp_get_device_num(), 0);
  omp_set_default_device(2);
  EXPECT_EQ(omp_get_default_device(), 2);
#pragma omp parallel num_threads(2)
  EXPECT_EQ(omp_get_default_device(), 2);
  omp_set_default_device(0);
}

static double system_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check_time(void) {
  double outside = system_time(), before = omp_get_wtime(), tick = omp_get_wtick();
  usleep(2000);
  double passed = omp_get_wtime() - before, most = system_time() - outside;
  EXPECT(passed >= 0.0019 && passed < most + 0.1, "%g s of %g", passed, most);
  EXPECT(tick > 0 && tick <= 0.01, "%g s", tick);
}

int main(void) {
  EXPECT_EQ(omp_get_dynamic(), 0);  // as libgomp and libomp have it
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  check_outside(n);
  check_num_threads(n);
  check_flags();
  check_devices();
  check_time();
  return 0;
}
