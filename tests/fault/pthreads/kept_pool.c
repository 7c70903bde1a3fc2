// SPDX-License-Identifier: Apache-2.0
// The program's initial thread uses no OpenMP, its pthreads do, one after the other: the workers that
// the first one brought in serve the others too, and are gone when the process has ended.
#include <dirent.h>
#include <pthread.h>
#include <string.h>

#include "use_openmp.h"

#define MOST 64

static int threads;

static void *open_regions(void *argument) {
  use_openmp(threads);
  return argument;
}

static void run_pthreads(int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, open_regions, NULL), 0);
    pthread_join(thread, NULL);
  }
}

// The numbers of the OS threads, ascending by age as a rule.
static int list_os_threads(int *found) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL && count < MOST;)
    if (entry->d_name[0] != '.') found[count++] = atoi(entry->d_name);
  closedir(tasks);
  return count;
}

int main(int argc, char **argv) {
  int before[MOST], after[MOST], first = 0, kept = -1;
  threads = omp_get_max_threads() > 8 ? 8 : omp_get_max_threads();
  // What served a pthread alone is listed for a moment after it. How long depends on what else the machine
  // does; the test's own time limit says that there is a round in which all that was there is kept.
  for (int round = 0; kept < first; round++) {
    run_pthreads(1);
    usleep(50000 << (round < 5 ? round : 5));
    first = list_os_threads(before);
    run_pthreads(50);
    int last = list_os_threads(after);
    kept = 0;
    for (int i = 0; i < first; i++)
      for (int j = 0; j < last; j++) kept += before[i] == after[j];
  }
  // Workers beside the initial thread, unless there is one CPU.
  EXPECT(first > 1 || omp_get_num_procs() == 1 || threads == 1, "%d OS threads", first);
  if (argc > 1 && strcmp(argv[1], "leave") == 0) pthread_exit(NULL);
  return 0;
}
