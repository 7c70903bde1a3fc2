// SPDX-License-Identifier: Apache-2.0
// Stacks that the program switches to by itself and tells nobody of. `coroutine`: a region is entered and left on
// one, and nothing else of the team's runs in the memory below its frames. `interleaved`: a region is left while
// another one, entered on another stack, is the current one: the process ends with a message. `moved`: it is left on
// another OS thread, which is in none, and has used OpenMP if there is a further argument: the same.
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "expect.h"

enum { STACK = 1 << 20, SMALL = 64 << 10, CANARY = 0x5a };

static ucontext_t back, first, second;

// Members that need more than a small stack has.
__attribute__((noinline)) static void use_memory(void) {
  volatile char frame[SMALL * 2];
  memset((char *)frame, 1, sizeof frame);
  EXPECT_EQ(frame[omp_get_thread_num()], 1);
}

static int members;

static void region_with_large_members(void) {
  members = 0;
#pragma omp parallel num_threads(4) reduction(+ : members)
  {
    if (omp_get_thread_num() != 0) use_memory();
    ++members;
  }
  EXPECT_EQ(members, 4);
  setcontext(&back);
}

static void prepare(ucontext_t *context, char *stack, void (*function)(void)) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = SMALL;
  context->uc_link = NULL;
  makecontext(context, function, 0);
}

// The stack lies above the pthread's own: to whoever only looks down there seems to be room.
static void *run_coroutine(void *above) {
  char *area = (char *)above;
#pragma omp parallel num_threads(4)
  EXPECT(omp_get_num_threads() == 4, "before");
  memset(area, CANARY, STACK);
  prepare(&first, area + STACK, region_with_large_members);
  swapcontext(&back, &first);
  for (int i = 0; i < STACK; ++i) EXPECT_EQ(area[i], CANARY);
  return NULL;
}

static void coroutine(void) {
  char *area = (char *)mmap(NULL, 10 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(area != MAP_FAILED, "mmap");
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, area, 8 * STACK);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, &attributes, run_coroutine, area + 8 * STACK), 0);
  pthread_join(thread, NULL);
}

static void second_region(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) swapcontext(&second, &first);
  setcontext(&back);
}

static void first_region(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) swapcontext(&first, &second);
  setcontext(&second);
}

static void interleaved(void) {
  static char stacks[2][SMALL] __attribute__((aligned(64)));
  prepare(&first, stacks[0], first_region);
  prepare(&second, stacks[1], second_region);
  swapcontext(&back, &first);
}

static void left_elsewhere(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) swapcontext(&first, &back);
  setcontext(&second);
}

static pthread_barrier_t entered;

static void *enter(void *stack) {
  prepare(&first, (char *)stack, left_elsewhere);
  swapcontext(&back, &first);
  pthread_barrier_wait(&entered);
  for (;;) pause();
}

// Whether it has used OpenMP before, or not.
static void *leave(void *used) {
  if (used != NULL) EXPECT_EQ(omp_get_level(), 0);
  swapcontext(&second, &first);
  return used;
}

static void moved(void *used) {
  static char stack[SMALL] __attribute__((aligned(64)));
  pthread_t thread;
  pthread_barrier_init(&entered, NULL, 2);
  EXPECT_EQ(pthread_create(&thread, NULL, enter, stack), 0);
  pthread_barrier_wait(&entered);
  EXPECT_EQ(pthread_create(&thread, NULL, leave, used), 0);
  pthread_join(thread, NULL);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "interleaved") == 0)
    interleaved();
  else if (count > 1 && strcmp(arguments[1], "moved") == 0)
    moved(count > 2 ? &first : NULL);
  else
    coroutine();
  return 0;
}
