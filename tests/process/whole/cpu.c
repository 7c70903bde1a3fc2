// SPDX-License-Identifier: Apache-2.0
// sched_getcpu() tells the CPU that the kernel names, also under another thread's block; and a restartable
// sequence finds that there is none, or that it is registered for the OS thread that runs.
#define _GNU_SOURCE
#include <sched.h>
#include <sys/rseq.h>
#include <sys/syscall.h>

#include "waits.h"

static __thread int own;  // so that members are whole

static int kernels_cpu(void) {
  unsigned cpu;
  return syscall(SYS_getcpu, &cpu, NULL, NULL) == 0 ? (int)cpu : -1;
}

// The OS thread may move between two looks, but not always.
static int same_cpu(void) {
  for (int i = 0; i < 1000; i++)
    if (sched_getcpu() == kernels_cpu()) return 1;
  return 0;
}

static void move_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

static int area_is_right(void) {
  const struct rseq *area = (const struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
  for (int i = 0; i < 1000; i++) {
    int cpu = (int)*(volatile unsigned *)&area->cpu_id;
    if (cpu < 0 || cpu == kernels_cpu()) return 1;
  }
  return 0;
}

static void check(int number, const char *where) {
  EXPECT(own == number, "thread %d: %s", number, where);
  EXPECT(same_cpu(), "thread %d is on CPU %d and reads %d: %s", number, kernels_cpu(), sched_getcpu(), where);
  EXPECT(area_is_right(), "thread %d has another CPU's restartable sequences: %s", number, where);
}

int main(void) {
  omp_set_dynamic(0);
  cpu_set_t usable;
  EXPECT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &usable)) continue;
#pragma omp parallel
    {
      own = omp_get_thread_num();
      if (own == 0) move_to(cpu);
      wait_in_many_ways(check);
      if (own == 0) EXPECT_EQ(sched_setaffinity(0, sizeof usable, &usable), 0);
    }
  }
  return 0;
}
