// SPDX-License-Identifier: Apache-2.0
// A foreign thread's frames are moved to a spare, for its own OS thread spins in another member until
// they have ended a nested region. They go on where they are: the way back is free after the outer one.
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>
#include "expect.h"
#include "spin.h"

int main(void) {
  int passed = 0, ended = 0, members = 0;
  pid_t before = gettid();
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp barrier
    if (outer == 1) {
      set_flag(&passed);
      spin_until_set(&ended);
    } else {
      spin_until_set(&passed);
#pragma omp parallel num_threads(2)
#pragma omp atomic
      members++;
      set_flag(&ended);
    }
  }
  EXPECT_EQ(members, 2);
  EXPECT_EQ(gettid(), before);
  return 0;
}
