// SPDX-License-Identifier: Apache-2.0
// Nested members that spin for each other, again and again, so that they are known to: in teams inside of such teams, where
// a gang's members wait for one that waits for its own turn, in the child after a fork() amid such a region, and between
// tasks.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "relax.h"
#include "spin.h"

enum { regions = 40 };

static void meet(int *arrived, int n) {
  __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < n) relax();
}

static int pairs;

static void meet_in_pair(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  meet(&arrived, 2);
  if (arrived == 2) __atomic_add_fetch(&pairs, 1, __ATOMIC_RELAXED);
}

static void by_level(int outer) {
#pragma omp parallel num_threads(outer)
  {
    int before = 0, after = 0;
#pragma omp parallel num_threads(2)
    {
      meet(&before, 2);
      meet_in_pair();
      meet(&after, 2);
    }
  }
}

// Member 0's pair goes on only when member 1's has met.
static void by_turns(int outer) {
  int met = 0;
#pragma omp parallel num_threads(outer)
  {
    int arrived = 0, self = omp_get_thread_num();
    if (self != 0) {
      meet_in_pair();
      set_flag(&met);
    } else {
#pragma omp parallel num_threads(2)
      {
        meet(&arrived, 2);
        spin_until_set(&met);
      }
    }
  }
}

static void by_tasks(int outer) {
#pragma omp parallel num_threads(outer)
#pragma omp single
  for (int task = 0; task < outer; task++) {
#pragma omp task
    meet_in_pair();
  }
}

static void by_fork(void) {
  int child_status = -1;
#pragma omp parallel num_threads(2)
  {
    int arrived = 0;
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
      {
        meet(&arrived, 2);
        if (omp_get_thread_num() == 0) {
          pid_t child = fork();
          if (child == 0) {
            pairs = 0;
            for (int i = 0; i < 3; i++) meet_in_pair();
            _exit(pairs == 3 ? 0 : 3);
          }
          waitpid(child, &child_status, 0);
        }
      }
    }
  }
  EXPECT_EQ(child_status, 0);
}

int main(void) {
  int outer = omp_get_max_threads() < 8 ? omp_get_max_threads() : 8;
  if (outer < 2) return 0;
  omp_set_max_active_levels(4);
  for (int r = 0; r < regions; r++) by_level(outer);
  EXPECT_EQ(pairs, 2 * outer * regions);
  pairs = 0;
  for (int r = 0; r < regions; r++) by_turns(outer);
  EXPECT_EQ(pairs, (outer - 1) * regions);
  pairs = 0;
  for (int r = 0; r < regions; r++) by_tasks(outer);
  EXPECT_EQ(pairs, outer * regions);
  by_fork();
  return 0;
}
