// SPDX-License-Identifier: Apache-2.0
// Threads and tasks that are suspended and go on all the time, nested regions among them, for two tenths of a second of
// CPU time: barriers, tasks that wait for their children, a lock that is handed on. Where other programs leave it next to
// none of that, for five seconds.
#include <omp.h>
#include <time.h>

#include "expect.h"

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) if (n > 4)
  a = fib(n - 1);
#pragma omp task shared(b) untied if (n > 4)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

// Of a process that gets a hundredth of a core the tenths of a second are minutes.
static int time_is_left(clock_t end, double end_of_all) { return clock() < end && omp_get_wtime() < end_of_all; }

static long turns;

static void take_turns(omp_lock_t *lock) {
  for (int i = 0; i < 20; ++i) {
    omp_set_lock(lock);
    ++turns;
    omp_unset_lock(lock);
#pragma omp barrier
  }
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  const int threads = omp_get_max_threads();
  int rounds = 0;
  const clock_t end = clock() + CLOCKS_PER_SEC / 5;
  const double end_of_all = omp_get_wtime() + 5;
  for (; rounds == 0 || time_is_left(end, end_of_all); ++rounds) {
    turns = 0;
    int result = 0, members = 0;
#pragma omp parallel
    {
      take_turns(&lock);
#pragma omp single
      result = fib(10);
#pragma omp parallel num_threads(2) if (omp_get_thread_num() < 4)
      {
#pragma omp barrier
#pragma omp atomic
        ++members;
      }
    }
    EXPECT_EQ(turns, 20L * threads);
    EXPECT_EQ(result, 55);
    EXPECT_EQ(members, threads + (threads < 4 ? threads : 4));
  }
  omp_destroy_lock(&lock);
  return 0;
}
