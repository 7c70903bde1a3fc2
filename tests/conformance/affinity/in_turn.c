// SPDX-License-Identifier: Apache-2.0
// Bound threads that outnumber the CPUs, in flat and nested teams: the OS threads that run them in turn are
// bound to different places as long as there are places, so that no CPU is left idle.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "expect.h"

enum { kMost = 4096 };
static int os_threads[kMost], cpus[kMost], count;

// -1: to all places, as an OS thread is that stands in for another one.
static int bound_to(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &mask)) cpu++;
  return CPU_COUNT(&mask) == 1 ? cpu : -1;
}

static void note(void) {
  int me = (int)syscall(SYS_gettid), cpu = bound_to();
  if (cpu < 0 && (int)getpid() != me) return;
  EXPECT(cpu >= 0, "the initial thread is not bound");
#pragma omp critical
  {
    int i = 0;
    while (i < count && os_threads[i] != me) i++;
    os_threads[i] = me;
    cpus[i] = cpu;
    if (i == count) count++;
  }
}

// Each CPU has an OS thread of those that took part, if there are enough of them.
static void check(void) {
  int distinct = 0;
  for (int i = 0; i < count; i++) {
    int first = 1;
    for (int j = 0; j < i; j++) first &= cpus[j] != cpus[i];
    distinct += first;
  }
  int places = omp_get_num_places();
  EXPECT(distinct >= (count < places ? count : places), "%d OS threads at %d CPUs", count, distinct);
}

static void use_teams(int outer, int inner) {
  count = 0;
  for (int region = 0; region < 5; region++) {
#pragma omp parallel num_threads(outer)
    {
#pragma omp parallel num_threads(inner)
      {
#pragma omp barrier
        note();
#pragma omp barrier
      }
    }
  }
  check();
}

int main(void) {
  int threads = omp_get_max_threads(), more = 2 * omp_get_num_places() + 1;
  omp_set_max_active_levels(2);
  use_teams(more, 1);
  use_teams(threads > more ? threads : more, 2);
#pragma omp parallel num_threads(2) proc_bind(primary)
  EXPECT_EQ(omp_get_place_num(), 0);
  use_teams(more, 3);
  return 0;
}
