// SPDX-License-Identifier: Apache-2.0
// A stack that overflows, in members and tasks, on workers and on pthreads: a message that names the
// thread and OMP_STACKSIZE, then the end by SIGSEGV. A program's own handler goes first.
// usage: overflow member|task|alone|null|handler
#include <pthread.h>
#include <signal.h>

#include "../process.h"

static int recurse(int depth) {
  volatile char frame[256];
  if (depth < 0) return 0;
  frame[depth % 256] = (char)depth;
  return recurse(depth + 1) + frame[depth % 256];
}

static void on_fault(int signal) {
  (void)signal;
  static const char text[] = "the program's own handler\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(98);
  _exit(21);
}

static char own_stack[65536];

// Every member but the first one waits at the barrier, so that the last one has a stack of the pool.
static void overflow_member(void) {
  int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
  {
#pragma omp barrier
    if (omp_get_thread_num() == n - 1) recurse(0);
#pragma omp barrier
  }
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
  if (strcmp(argv[1], "member") == 0) overflow_member();
  if (strcmp(argv[1], "task") == 0) overflow_task();
  if (strcmp(argv[1], "null") == 0) {
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) *(volatile int *)(size_t)argc = 0;
  }
  if (strcmp(argv[1], "raise") == 0) raise(SIGSEGV);
  return 0;
}
