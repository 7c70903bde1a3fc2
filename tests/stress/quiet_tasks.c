// SPDX-License-Identifier: Apache-2.0
// A team's tasks wait for an event that an OS thread of the program's fulfils late. Meanwhile nothing runs, and the
// runtime's monitor sleeps too. Afterwards it is back: as many tasks as there are CPUs block in the kernel, unseen, and
// what each of them waits for is a task behind them.
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"

enum { MOST = 64 };

static omp_event_handle_t awaited;
static int pipes[MOST][2];
static long wakes;  // of the monitor, in half a second

static int file_of_monitor(char *path, size_t room) {
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL, "no /proc");
  int found = 0;
  for (struct dirent *task; !found && (task = readdir(tasks)) != NULL;) {
    char name[32] = "";
    snprintf(path, room, "/proc/self/task/%s/comm", task->d_name);
    FILE *file = task->d_name[0] != '.' ? fopen(path, "r") : NULL;
    if (file == NULL) continue;
    found = fscanf(file, "%31[^\n]", name) == 1 && strcmp(name, "tulle monitor") == 0;
    fclose(file);
    snprintf(path, room, "/proc/self/task/%s/status", task->d_name);
  }
  closedir(tasks);
  return found;
}

// Times that it went to sleep so far; 0: there is none.
static long sleeps_of_monitor(void) {
  char path[300], line[200];
  long sleeps = 0;
  FILE *file = file_of_monitor(path, sizeof path) ? fopen(path, "r") : NULL;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
  if (file != NULL) fclose(file);
  return sleeps;
}

static void *fulfil(void *unused) {
  usleep(1500000);  // until it has found that nothing moves
  long before = sleeps_of_monitor();
  usleep(500000);
  wakes = sleeps_of_monitor() - before;
  omp_fulfill_event(awaited);
  return unused;
}

static void block(int i) {
#pragma omp task
  EXPECT_EQ(write(pipes[i][1], "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(read(pipes[i][0], &byte, 1), 1);
#pragma omp taskwait
}

int main(void) {
  int cpus = omp_get_num_procs() < MOST ? omp_get_num_procs() : MOST, word = 0, through = 0;
  for (int i = 0; i < cpus; i++) EXPECT_EQ(pipe(pipes[i]), 0);
#pragma omp parallel num_threads(2 * cpus + 1)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : word) detach(event)
    word = 1;
    awaited = event;
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, fulfil, NULL), 0);
    for (int i = 0; i < cpus; i++) {
#pragma omp task depend(in : word) shared(through)
      {
        block(i);
#pragma omp atomic
        ++through;
      }
    }
#pragma omp taskwait
    EXPECT_EQ(pthread_join(thread, NULL), 0);
  }
  EXPECT_EQ(through, cpus);
  EXPECT(wakes <= 8, "the monitor woke %ld times in half a second while nothing ran", wakes);
  return 0;
}
