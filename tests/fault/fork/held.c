// SPDX-License-Identifier: Apache-2.0
// fork() while a pthread stands in a critical section, holds a lock or combines a reduction: the child
// may enter every section and use every lock that was free, and open regions. What the pthread held
// stays held, as a mutex would: so does Clang's lock of reductions that cannot be combined atomically.
#include <pthread.h>
#include <stdatomic.h>

#include "process.h"
#include "use_openmp.h"

typedef struct {
  long sum;
} Box;

static atomic_int holding, let_go, slow;
static omp_lock_t locks[2];

static void hold(void) {
  atomic_store(&holding, 1);
  while (!atomic_load(&let_go)) usleep(1000);
}

static void add(Box *to, const Box *from) {
  if (atomic_load(&slow)) hold();
  to->sum += from->sum;
}

#pragma omp declare reduction(boxes : Box : add(&omp_out, &omp_in)) initializer(omp_priv = (Box){0})

static void reduce(int threads) {
  Box box = {0};
#pragma omp parallel num_threads(threads) reduction(boxes : box)
  box.sum += 1 + omp_get_thread_num();
  EXPECT_EQ(box.sum, threads * (threads + 1) / 2);
}

static void *hold_named(void *argument) {
#pragma omp critical(held)
  hold();
  return argument;
}

static void *hold_unnamed(void *argument) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp critical
  hold();
  return argument;
}

static void *hold_lock(void *argument) {
  omp_set_lock(&locks[0]);
  hold();
  omp_unset_lock(&locks[0]);
  return argument;
}

static void *hold_reduction(void *argument) {
  atomic_store(&slow, 1);
  reduce(2);
  return argument;
}

// Each section has a count of its own: two of them exclude nobody from each other.
static void enter_others(int threads, int named, int unnamed) {
  int others = 0, in_named = 0, in_unnamed = 0, locked = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp critical(other)
    others++;
    if (named) {
#pragma omp critical(held)
      in_named++;
    }
    if (unnamed) {
#pragma omp critical
      in_unnamed++;
    }
    omp_set_lock(&locks[1]);
    locked++;
    omp_unset_lock(&locks[1]);
  }
  EXPECT_EQ(others, threads);
  EXPECT_EQ(in_named, named * threads);
  EXPECT_EQ(in_unnamed, unnamed * threads);
  EXPECT_EQ(locked, threads);
}

static void *wait_for_section(void *argument) {
#pragma omp critical(forked_in)
  (*(int *)argument)++;
  return argument;
}

// A child that was made in a section leaves it, and can enter it again: those who waited are not there.
static void fork_in_section(int threads) {
  int passed = 0;
  pthread_t waiting;
  pid_t child;
#pragma omp critical(forked_in)
  {
    EXPECT_EQ(pthread_create(&waiting, NULL, wait_for_section, &passed), 0);
    usleep(5000);
    child = fork();
    if (child == 0) alarm(50);
  }
  if (child == 0) {
#pragma omp parallel num_threads(threads)
#pragma omp critical(forked_in)
    passed++;
    EXPECT_EQ(passed, threads);
    exit(7);
  }
  expect_child(child, 7);
  pthread_join(waiting, NULL);
  EXPECT_EQ(passed, 1);
}

int main(void) {
  int threads = omp_get_max_threads() > 8 ? 8 : omp_get_max_threads();
  void *(*const holders[])(void *) = {hold_named, hold_unnamed, hold_lock, hold_reduction};
  for (int i = 0; i < 2; i++) omp_init_lock(&locks[i]);
  omp_set_dynamic(0);
  enter_others(threads, 1, 1);
  for (int i = 0; i < 4; i++) {
    pthread_t holder;
    atomic_store(&holding, 0);
    atomic_store(&let_go, 0);
    EXPECT_EQ(pthread_create(&holder, NULL, holders[i], NULL), 0);
    while (!atomic_load(&holding)) usleep(100);
    pid_t child = fork();
    if (child == 0) {
      alarm(50);
      atomic_store(&slow, 0);
      enter_others(threads, holders[i] != hold_named, holders[i] != hold_unnamed);
      if (holders[i] != hold_reduction) reduce(threads);
      use_openmp(threads);
      exit(7);
    }
    expect_child(child, 7);
    atomic_store(&slow, 0);
    atomic_store(&let_go, 1);
    pthread_join(holder, NULL);
    enter_others(threads, 1, 1);
  }
  fork_in_section(threads);
  return 0;
}
