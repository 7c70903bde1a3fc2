// SPDX-License-Identifier: Apache-2.0
// What is asked of the kernel by pthread_self(): the CPU clock runs, and is the one that CLOCK_THREAD_CPUTIME_ID
// reads; a member binds the OS thread that runs it, and reads where that may run.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "waits.h"

static long long now(clockid_t clock) {
  struct timespec time;
  EXPECT_EQ(clock_gettime(clock, &time), 0);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void check_clock(int number, const char *where) {
  clockid_t clock;
  EXPECT_EQ(pthread_getcpuclockid(pthread_self(), &clock), 0);
  long long before = now(CLOCK_THREAD_CPUTIME_ID), named = now(clock), after = now(CLOCK_THREAD_CPUTIME_ID);
  EXPECT(before <= named && named <= after, "member %d: %lld, not between %lld and %lld: %s", number, named, before,
         after, where);
}

static int first_of(const cpu_set_t *set, int from) {
  while (from < CPU_SETSIZE && !CPU_ISSET(from, set)) from++;
  return from;
}

static void bind_to(int cpu, const cpu_set_t *back) {
  cpu_set_t one, now;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
  EXPECT_EQ(sched_getcpu(), cpu);
  EXPECT_EQ(pthread_getaffinity_np(pthread_self(), sizeof now, &now), 0);
  EXPECT(CPU_EQUAL(&one, &now), "it may run elsewhere than on CPU %d", cpu);
  EXPECT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT(CPU_EQUAL(&one, &now), "the kernel lets it run elsewhere than on CPU %d", cpu);
  EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof *back, back), 0);
}

int main(void) {
  omp_set_dynamic(0);
  cpu_set_t usable;
  EXPECT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  for (int cpu = first_of(&usable, 0); cpu < CPU_SETSIZE; cpu = first_of(&usable, cpu + 1)) {
#pragma omp parallel
    {
      wait_in_many_ways(check_clock);
      bind_to(cpu, &usable);
#pragma omp barrier
      bind_to(cpu, &usable);
    }
  }
  return 0;
}
