// SPDX-License-Identifier: Apache-2.0
// Prints for each member of a team how many CPUs it may run on, how many a child that it forks, and
// whether the initial OS thread carries it: while that waits for the others, it may run them.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int cpus(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  return CPU_COUNT(&mask);
}

int main(void) {
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp critical
    {
      int here = cpus(), status = 0;
      pid_t child = fork();
      if (child == 0) _exit(cpus());
      waitpid(child, &status, 0);
      printf("%d %d %d %d\n", omp_get_thread_num(), here, WEXITSTATUS(status),
             syscall(SYS_gettid) == getpid());
    }
#pragma omp barrier
  }
  return 0;
}
