// SPDX-License-Identifier: Apache-2.0
// fork() while other pthreads are inside regions: from the initial thread, from a pthread that has
// used OpenMP and from one that has not.
#include <pthread.h>
#include <stdatomic.h>

#include "process.h"
#include "use_openmp.h"

static atomic_int stop;
static int threads;

static void *keep_busy(void *argument) {
  while (!atomic_load(&stop)) use_openmp(threads);
  return argument;
}

static void fork_once(void) {
  pid_t child = fork();
  if (child == 0) {
    alarm(50);
    for (int i = 0; i < 3; i++) use_openmp(threads);
    exit(7);
  }
  expect_child(child, 7);
}

static void *fork_afresh(void *argument) {
  fork_once();
  return argument;
}

static void *fork_after_use(void *argument) {
  use_openmp(threads);
  fork_once();
  use_openmp(threads);
  return argument;
}

int main(void) {
  pthread_t busy[2], forking;
  threads = omp_get_max_threads() > 8 ? 8 : omp_get_max_threads();
  for (int i = 0; i < 2; i++) EXPECT_EQ(pthread_create(&busy[i], NULL, keep_busy, NULL), 0);
  for (int round = 0; round < 4; round++) {
    fork_once();
    pthread_create(&forking, NULL, fork_afresh, NULL);
    pthread_join(forking, NULL);
    pthread_create(&forking, NULL, fork_after_use, NULL);
    pthread_join(forking, NULL);
    use_openmp(threads);
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < 2; i++) pthread_join(busy[i], NULL);
  return 0;
}
