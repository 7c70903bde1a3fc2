// SPDX-License-Identifier: Apache-2.0
// One of each thing that a trace shows, each in a function of its own. With the argument "killed" it ends by a signal,
// with "many" and a number it makes so many tasks, having slept for as many seconds as a third one says, and with
// "stuck" it does not end; with "twice" it makes the chain of tasks again, with "crowd" teams and tasks that find no
// worker, with "teams" a league and with "target" a target region.
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static void pass_ms(double ms) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - begin.tv_sec) * 1e3 + (double)(now.tv_nsec - begin.tv_nsec) * 1e-6 < ms);
}

// The first member keeps the others waiting.
__attribute__((noinline)) static void uneven(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) pass_ms(30);
#pragma omp barrier
  }
}

__attribute__((noinline)) static void locked(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; ++i) {
#pragma omp critical(one_at_a_time)
    pass_ms(3);
  }
}

// A chain of ten, and ten that follow nothing.
__attribute__((noinline)) static void chained(void) {
  char link = 0;
  (void)link;  // is but a name
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(inout : link)
      pass_ms(1);
    }
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      pass_ms(0.5);
    }
#pragma omp taskwait
  }
}

__attribute__((noinline)) static void nested(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  pass_ms(1);
}

__attribute__((noinline)) static void forked(void) {
  pid_t child = fork();
  if (child == 0) {
#pragma omp parallel num_threads(2)
    pass_ms(5);
    _exit(0);
  }
  waitpid(child, 0, 0);
}

__attribute__((noinline)) static void many(int tasks) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < tasks; ++i) {
#pragma omp task
    __asm__ volatile("");
  }
}

// Two locks that each thread takes in another order.
__attribute__((noinline)) static void stuck(void) {
  omp_lock_t locks[2];
  omp_init_lock(&locks[0]);
  omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
  {
    int own = omp_get_thread_num();
    omp_set_lock(&locks[own]);
#pragma omp barrier
    omp_set_lock(&locks[1 - own]);
  }
}

// Four threads: on two workers two of them begin late, and two go on late after the barrier.
__attribute__((noinline)) static void crowded(void) {
#pragma omp parallel num_threads(4)
  {
    pass_ms(20);
#pragma omp barrier
    pass_ms(20);
  }
}

// Six tasks at once, on two workers.
__attribute__((noinline)) static void queued(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 6; ++i) {
#pragma omp task
    pass_ms(10);
  }
}

__attribute__((noinline)) static void league(void) {
#pragma omp teams num_teams(3)
  pass_ms(4);
}

// A region in a target region, in a task that goes on when that has ended.
__attribute__((noinline)) static void target(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
#pragma omp target
      {
        pass_ms(3);
#pragma omp parallel num_threads(2)
        pass_ms(3);
      }
      pass_ms(3);
    }
  }
}

int main(int count, char** words) {
  omp_set_max_active_levels(2);
  if (count > 1 && strcmp(words[1], "crowd") == 0) return crowded(), queued(), 0;
  if (count > 1 && strcmp(words[1], "teams") == 0) return league(), 0;
  if (count > 1 && strcmp(words[1], "target") == 0) return target(), 0;
  uneven();
  locked();
  chained();
  if (count > 1 && strcmp(words[1], "killed") == 0) raise(SIGKILL);
  if (count > 3) usleep((useconds_t)(atof(words[3]) * 1e6));
  if (count > 2 && strcmp(words[1], "many") == 0) many(atoi(words[2]));
  if (count > 1 && strcmp(words[1], "twice") == 0) chained();
  if (count > 1 && strcmp(words[1], "stuck") == 0) stuck();
  nested();
  forked();
  return 0;
}
