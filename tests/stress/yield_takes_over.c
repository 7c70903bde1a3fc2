// SPDX-License-Identifier: Apache-2.0
// While the initial thread of a region gives way in a loop, its OS thread takes over members that wait their turn
// behind another worker, which have run there before: nobody else's region needs them.
// (Of three members each worker may hold one, and nobody waits his turn: the test needs more.)
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "expect.h"

static __thread int runs_apart;  // so members are whole, and may change workers
static int taken_over;

static int os_thread(void) { return (int)syscall(SYS_gettid); }

static void compute(double seconds) {
  for (double end = omp_get_wtime() + seconds; omp_get_wtime() < end;) runs_apart++;
}

// Until somebody was seen to come from another OS thread to the initial one.
static void move(int initial, double end) {
  for (int before = os_thread(); !__atomic_load_n(&taken_over, __ATOMIC_RELAXED) && omp_get_wtime() < end;) {
    compute(0.0002);
    sched_yield();
    int now = os_thread();
    if (now == initial && before != initial) __atomic_store_n(&taken_over, 1, __ATOMIC_RELAXED);
    before = now;
  }
}

int main(void) {
  int n = omp_get_max_threads(), initial = os_thread();
  if (n < 3 || omp_get_num_procs() < 2) return 0;
  double end = omp_get_wtime() + 20;
#pragma omp parallel num_threads(n)
  if (omp_get_thread_num() != 0)
    move(initial, end);
  else
    while (!__atomic_load_n(&taken_over, __ATOMIC_RELAXED) && omp_get_wtime() < end) sched_yield();
  EXPECT_EQ(taken_over, 1);
  return 0;
}
