// SPDX-License-Identifier: Apache-2.0
// Initial values from the environment: run with OMP_NUM_THREADS=4,3,2 OMP_DYNAMIC=true
// OMP_MAX_ACTIVE_LEVELS=2 OMP_THREAD_LIMIT=100 OMP_MAX_TASK_PRIORITY=7 OMP_DEFAULT_DEVICE=0
// OMP_NUM_TEAMS=3 OMP_TEAMS_THREAD_LIMIT=5 OMP_STACKSIZE=3M OMP_WAIT_POLICY=passive.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

static void fill_stack(void) {
  volatile char block[2 << 20];
  for (unsigned i = 0; i < sizeof block; i += 512) block[i] = (char)i;
  EXPECT_EQ(block[512 * 5], (char)(512 * 5));
}

static void *inherit(void *unused) {
  EXPECT_EQ(omp_get_max_threads(), 4);
  EXPECT_EQ(omp_get_max_active_levels(), 2);
  return unused;
}

int main(void) {
  EXPECT_EQ(omp_get_max_threads(), 4);
  EXPECT(omp_get_dynamic(), "OMP_DYNAMIC=true");
  EXPECT_EQ(omp_get_max_active_levels(), 2);
  EXPECT_EQ(omp_get_thread_limit(), 100);
  EXPECT_EQ(omp_get_max_task_priority(), 7);
  EXPECT_EQ(omp_get_max_teams(), 3);
  EXPECT_EQ(omp_get_teams_thread_limit(), 5);
  omp_set_dynamic(0);
#pragma omp parallel
  {
    EXPECT_EQ(omp_get_num_threads(), 4);
    EXPECT_EQ(omp_get_max_threads(), 3);
    fill_stack();
#pragma omp parallel
    {
      EXPECT_EQ(omp_get_num_threads(), 3);
      EXPECT_EQ(omp_get_max_threads(), 2);
#pragma omp parallel
      EXPECT_EQ(omp_get_num_threads(), 1);
    }
    omp_set_num_threads(2);
#pragma omp parallel
    EXPECT_EQ(omp_get_num_threads(), 2);
  }
  pthread_t thread;
  omp_set_num_threads(9);
  pthread_create(&thread, NULL, inherit, NULL);
  pthread_join(thread, NULL);
  return 0;
}
