// SPDX-License-Identifier: Apache-2.0
// A stack that overflows, in members and tasks, on workers, pthreads and the initial thread, by small
// frames and by one that steps over the guard: a message that names the thread and OMP_STACKSIZE, then the
// end by SIGSEGV. A program's own handler goes first.
// usage: overflow member|large|nested|task|initial|called|pthread|null|raise|handler
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "use_openmp.h"

static int recurse(int depth) {
  volatile char frame[256];
  if (depth < 0) return 0;
  frame[depth % 256] = (char)depth;
  return recurse(depth + 1) + frame[depth % 256];
}

// One frame of three quarters of a megabyte after the other.
static int recurse_by_arrays(int depth) {
  volatile char frame[3 << 18];
  if (depth < 0) return 0;
  frame[depth % 256] = (char)depth;
  return recurse_by_arrays(depth + 1) + frame[depth % 256];
}

static void on_fault(int signal) {
  (void)signal;
  static const char text[] = "the program's own handler\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(98);
  _exit(21);
}

static char own_stack[65536];

// Every member but the first one waits at the barrier, so that the last one has a stack of the pool.
static void overflow_member(int (*overflow)(int)) {
  int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
  {
#pragma omp barrier
    if (omp_get_thread_num() == n - 1) overflow(0);
#pragma omp barrier
  }
}

static void overflow_nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 2) recurse(0);
#pragma omp barrier
  }
}

// Member 1 of a region with one worker is called on the stack of the initial thread.
static void overflow_called(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) recurse(0);
}

static void *overflow_in_region(void *argument) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) recurse(0);
  return argument;
}

static void overflow_pthread(void) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, overflow_in_region, NULL), 0);
  pthread_join(thread, NULL);
}

static void overflow_task(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task untied
      {
#pragma omp taskyield
        recurse(i);
      }
    }
  }
}

static void own_handler(void) {
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  use_openmp(4);
#pragma omp parallel num_threads(4)
  {
    stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
#pragma omp barrier
#pragma omp single
    {
      sigaltstack(&stack, NULL);
      recurse(0);
    }
  }
}

int main(int argc, char **argv) {
  EXPECT(argc > 1, "usage");
  omp_set_dynamic(0);
  if (strcmp(argv[1], "handler") == 0) own_handler();
  use_openmp(4);
  if (strcmp(argv[1], "member") == 0) overflow_member(recurse);
  if (strcmp(argv[1], "large") == 0) overflow_member(recurse_by_arrays);
  if (strcmp(argv[1], "nested") == 0) overflow_nested();
  if (strcmp(argv[1], "initial") == 0) recurse(0);
  if (strcmp(argv[1], "called") == 0) overflow_called();
  if (strcmp(argv[1], "pthread") == 0) overflow_pthread();
  if (strcmp(argv[1], "task") == 0) overflow_task();
  if (strcmp(argv[1], "null") == 0) {
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) *(volatile int *)(size_t)argc = 0;
  }
  if (strcmp(argv[1], "raise") == 0) raise(SIGSEGV);
  return 0;
}
