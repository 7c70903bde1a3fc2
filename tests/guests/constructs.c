// SPDX-License-Identifier: Apache-2.0
// What regions of fibers have inside: tasks, dependences, locks that other fibers hold, critical sections, regions
// in regions, and functions that enter regions where they are called back.
#include <omp.h>

#include "fibers.h"
#include "fibonacci.h"

enum { FIBERS = 8, TASKS = 60 };

static int threads;
static omp_lock_t lock;
static int guarded;

static void use_tasks(void) {
  long result = 0;
  int chain = 0, done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    result = fibonacci(12);
    for (int i = 0; i < TASKS; ++i) {
#pragma omp task depend(inout : chain) firstprivate(i)
      {
        EXPECT_EQ(chain, i);
        ++chain;
      }
#pragma omp task shared(done)
      {
#pragma omp atomic
        ++done;
      }
    }
#pragma omp taskgroup
    {
#pragma omp task
      fiber_yield_if_here();
    }
#pragma omp taskwait
    EXPECT_EQ(chain, TASKS);
  }
  EXPECT_EQ(result, 144);
  EXPECT_EQ(done, TASKS);
}

// Held over a switch: the fiber that comes next waits for it by its host.
static void use_locks(void) {
#pragma omp parallel num_threads(threads)
  {
    omp_set_lock(&lock);
    int before = guarded++;
    fiber_yield_if_here();
    EXPECT_EQ(guarded, before + 1);
    omp_unset_lock(&lock);
#pragma omp critical
    fiber_yield_if_here();
  }
}

static void count_members(void *argument) {
#pragma omp parallel num_threads(2)
  {
    fiber_yield_if_here();
#pragma omp atomic
    ++*(int *)argument;
  }
}

static void call_back(void (*function)(void *), void *argument) { function(argument); }

static void use_nested(void) {
  int counted = 0;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(threads)
  {
    call_back(count_members, &counted);
#pragma omp barrier
#pragma omp single
#pragma omp task
    call_back(count_members, &counted);
  }
  EXPECT_EQ(counted, 2 * (threads + 1));
}

static void use_all(void *argument) {
  for (int round = 0; round < 3; ++round) {
    use_tasks();
    use_locks();
    use_nested();
    fiber_yield();
  }
  *(int *)argument = 1;
}

// A member of a region may carry fibers too, on its own stack.
static void carry_in_region(void) {
  int done[2] = {0, 0};
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < 2; ++i) spawn_fiber(use_all, &done[i]);
    run_fibers(1);
    EXPECT_EQ(omp_get_level(), 1);
    EXPECT_EQ(omp_get_num_threads(), threads);
  }
  EXPECT_EQ(done[0] + done[1], 2);
}

int main(void) {
  int done[FIBERS] = {0};
  threads = omp_get_max_threads();
  omp_init_lock(&lock);
  register_fibers();
  for (int carriers = 1; carriers <= 2; ++carriers) {
    for (int i = 0; i < FIBERS; ++i) {
      done[i] = 0;
      spawn_fiber(use_all, &done[i]);
    }
    run_fibers(carriers);
    for (int i = 0; i < FIBERS; ++i) EXPECT_EQ(done[i], 1);
  }
  carry_in_region();
  omp_destroy_lock(&lock);
  return 0;
}
