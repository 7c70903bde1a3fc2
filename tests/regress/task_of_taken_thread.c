// SPDX-License-Identifier: Apache-2.0
// A member opens a region of its own on one worker and goes on in it on the program's own OS thread, which takes no
// tasks of regions that others announced. Its last task there finds the worker asleep again, for the thread in whose
// name alone the task could run was busy; so the worker is to be told when that thread waits.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include "clock.h"
#include "expect.h"
#include "spin.h"

enum { members = 6, rounds = 40 };

static int on_initial(void) { return gettid() == getpid(); }

// False: the member did not come to where it should go on.
static int yield_until_on_initial(int wanted) {
  double start = omp_get_wtime();
  while (on_initial() != wanted) {
    if (omp_get_wtime() - start > 0.05) return 0;
    sched_yield();
  }
  return 1;
}

static int taken_over(void) {
  int moved = 0, through = 0, ran = 0;
#pragma omp parallel num_threads(members)
  {
    if (omp_get_thread_num() == members - 1) {
      int began = yield_until_on_initial(0);
#pragma omp parallel num_threads(1)
      {
        moved = began && yield_until_on_initial(1);
        set_flag(&through);
#pragma omp task priority(1) shared(ran)
        ran = 1;
        if (moved) compute_for(0.003);
#pragma omp taskwait
      }
    } else {
      while (!__atomic_load_n(&through, __ATOMIC_ACQUIRE)) sched_yield();
    }
  }
  EXPECT_EQ(ran, 1);
  return moved;
}

int main(void) {
  int moved = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int i = 0; i < rounds; i++) moved += taken_over();
  EXPECT(moved > 0);
  return 0;
}
