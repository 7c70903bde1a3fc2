// SPDX-License-Identifier: Apache-2.0
// What top, perf and gdb call the OS threads of a process: workers and spares by number, the monitor, those that lend
// their TLS blocks; and the program's own by the program's name.
#include <dirent.h>
#include <omp.h>
#include <poll.h>
#include <string.h>

#include "expect.h"

static _Thread_local int own;  // so that members are whole

enum { kWorker, kSpare, kMonitor, kBlock, kProgram, kKinds };
static int seen[kKinds];

static int kind_of(const char *name) {
  unsigned number;
  char rest;
  if (sscanf(name, "tulle worker %u%c", &number, &rest) == 1) {
    EXPECT(number >= 1 && (int)number < omp_get_num_procs(), "a worker's number is %u", number);
    return kWorker;
  }
  if (sscanf(name, "tulle spare %u%c", &number, &rest) == 1) return kSpare;
  if (strcmp(name, "tulle monitor") == 0) return kMonitor;
  if (strcmp(name, "tulle TLS block") == 0) return kBlock;
  EXPECT(strcmp(name, "names") == 0, "an OS thread is called '%s'", name);
  return kProgram;
}

// One that ends meanwhile has no name. True: no two have the same; one that has just been made bears its maker's.
static int look(void) {
  int now[kKinds] = {0};
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc");
  for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
    FILE *file = task->d_name[0] != '.' ? fopen(path, "r") : NULL;
    if (file == NULL) continue;
    if (fscanf(file, "%31[^\n]", name) == 1) now[kind_of(name)]++;
    fclose(file);
  }
  closedir(tasks);
  for (int kind = 0; kind < kKinds; kind++)
    if (now[kind] > seen[kind]) seen[kind] = now[kind];
  return now[kMonitor] <= 1 && now[kWorker] < omp_get_num_procs();
}

int main(void) {
  for (int round = 0; round < 200; round++) {
#pragma omp parallel
    {
      ++own;
      poll(NULL, 0, 5);  // a spare goes on with those that wait behind
#pragma omp barrier
#pragma omp single
      look();
    }
    if (seen[kSpare] && seen[kBlock] && seen[kMonitor]) break;
  }
  EXPECT(seen[kProgram] >= 1, "the initial thread has lost its name");
  EXPECT(omp_get_num_procs() == 1 || seen[kWorker] >= 1, "no worker has its name");
  EXPECT(seen[kMonitor] && seen[kBlock] && seen[kSpare], "monitor %d, blocks %d, spares %d", seen[kMonitor],
         seen[kBlock], seen[kSpare]);
  int tries = 500;
  while (!look() && --tries > 0) poll(NULL, 0, 10);
  EXPECT(tries > 0, "two OS threads have one name");
  return 0;
}
