// SPDX-License-Identifier: Apache-2.0
// The mask of all OS threads of the process changes between regions that a policy places: the tree of runqueues that it
// places them in goes with the workers that it was made for, and no member with it.
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <string.h>

#include "expect.h"

int tulle_set_policy(const char *name) __attribute__((weak));

static void allow(const cpu_set_t *mask) {
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
    if (entry->d_name[0] != '.') sched_setaffinity(atoi(entry->d_name), sizeof *mask, mask);
  closedir(tasks);
}

static int workers(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE *file = fopen(path, "r");
    if (file == NULL) continue;
    count += fgets(name, sizeof name, file) != NULL && strncmp(name, "tulle worker", 12) == 0;
    fclose(file);
  }
  closedir(tasks);
  return count;
}

int main(void) {
  cpu_set_t all, some;
  int changes = 0, before = 0, members = 0;
  EXPECT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) {
    puts("skipped: this machine grants one CPU");
    return 77;
  }
  CPU_ZERO(&some);
  for (int cpu = 0; CPU_COUNT(&some) == 0; cpu++)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &some);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 8; round++) {
    allow(round % 2 == 0 ? &some : &all);
    usleep(150000);  // the runtime looks ten times a second, before regions that it places by itself
    tulle_set_policy("default");
#pragma omp parallel num_threads(3 + round % 2)
    EXPECT(omp_in_parallel(), "no region");
    tulle_set_policy(NULL);
    for (int region = 0; region < 20; region++) {
#pragma omp parallel num_threads(5 + region % 2) reduction(+ : members)
#pragma omp parallel num_threads(4) reduction(+ : members)
      members++;
    }
    // On a busy machine one that was started has its name later than its regions end.
    for (int looks = 0; looks < 100 && workers() == before; looks++) usleep(1000);
    int now = workers();
    changes += now != before;
    before = now;
  }
  EXPECT_EQ(members, 8 * (10 * 5 + 10 * 6) * 4);
  EXPECT(changes > 1, "the workers never followed");
  return 0;
}
