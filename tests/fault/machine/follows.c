// SPDX-License-Identifier: Apache-2.0
// The mask of all OS threads of the process changes while it runs, as `taskset -ap` or a cpuset does
// it: the number of workers follows, at the end of a region that workers slept before. The mask of the
// initial thread alone is the program's own affair.
// usage: follows, under taskset with one CPU of two or more that the machine has
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <string.h>

#include "carriers.h"
#include "use_openmp.h"

static void allow(const cpu_set_t *mask) {
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
    if (entry->d_name[0] != '.')
      EXPECT_EQ(sched_setaffinity(atoi(entry->d_name), sizeof *mask, mask), 0);
  closedir(tasks);
}

// Within a minute `in_a_row` regions after each other have so many.
int main(void) {
  cpu_set_t one, all, two;
  int cpus = 0;
  EXPECT_EQ(sched_getaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(CPU_COUNT(&one), 1);
  omp_set_dynamic(0);
  expect_carriers(1, 5);
  // As many as the system grants, cut to two.
  memset(&all, 0xff, sizeof all);
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&two);
  for (int cpu = 0; cpu < CPU_SETSIZE && cpus < 2; cpu++)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &two), cpus++;
  if (cpus < 2) {
    puts("skipped: this machine grants one CPU");
    return 77;
  }
  for (int round = 0; round < 3; round++) {
    allow(&two);
    expect_carriers(2, 1);
    use_openmp(4);
    // The initial thread alone: nothing changes.
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    usleep(150000);
    expect_carriers(2, 1);
    allow(&one);
    expect_carriers(1, 20);
    use_openmp(4);
  }
  return 0;
}
