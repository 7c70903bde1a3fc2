// SPDX-License-Identifier: Apache-2.0
// Processes that are started from inside a region, by members and by tasks: posix_spawn, system,
// popen, fork with exec, fork with _exit; and a child that goes on with regions of its own.
#include <spawn.h>
#include <string.h>

#include "process.h"
#include "use_openmp.h"

extern char **environ;

static void spawn(void) {
  char *arguments[] = {"true", NULL};
  pid_t child;
  EXPECT_EQ(posix_spawnp(&child, "true", NULL, NULL, arguments, environ), 0);
  expect_child(child, 0);
}

static void run_shell(int status) {
  char command[32];
  snprintf(command, sizeof command, "exit %d", status);
  int result = system(command);
  EXPECT_EQ(WEXITSTATUS(result), status);
}

static void read_pipe(int number) {
  char command[32];
  int read = -1;
  snprintf(command, sizeof command, "echo %d", number);
  FILE *pipe = popen(command, "r");
  EXPECT(pipe != NULL && fscanf(pipe, "%d", &read) == 1, "nothing from popen");
  pclose(pipe);
  EXPECT_EQ(read, number);
}

static void fork_exec(int status) {
  char command[32];
  snprintf(command, sizeof command, "exit %d", status);
  pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  expect_child(child, status);
}

static void fork_exit(int status, int regions) {
  pid_t child = fork();
  if (child == 0) {
    alarm(50);
    int members = 0;
    if (regions) {
#pragma omp parallel num_threads(3) reduction(+ : members)
      {
        members++;
#pragma omp barrier
      }
      EXPECT_EQ(members, 3);
    }
    _exit(status);
  }
  expect_child(child, status);
}

int main(void) {
  int n = omp_get_max_threads();
  if (n > 8) n = 8;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
    spawn();
#pragma omp barrier
    run_shell(me);
    read_pipe(1000 + me);
    fork_exec(me + 1);
    fork_exit(me + 2, 0);
    fork_exit(me + 3, 1);
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
        spawn();
        fork_exit(i, 1);
      }
    }
  }
  use_openmp(n);
  return 0;
}
