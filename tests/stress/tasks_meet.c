// SPDX-License-Identifier: Apache-2.0
// Explicit tasks that wait in the C library, each for another that is queued and may not have begun: a token goes
// round a ring of semaphores, of pipes, from the last task made to the first; producers and consumers meet at a
// condition variable; all meet at a barrier; the first holds a mutex until the last has begun. There are as many tasks
// as threads. The monitor's tick is longer than the test may take: what goes on does so at once.
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>

#include "expect.h"

enum { MOST = 64, LAPS = 20, ROUNDS = 10 };

static sem_t turn[MOST];
static int pipes[MOST][2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int done, stored;

static void finish(void) { __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED); }

static void by_semaphores(int i, int n) {
  for (int lap = 0; lap < LAPS; lap++) {
    EXPECT_EQ(sem_wait(&turn[i]), 0);
    EXPECT_EQ(sem_post(&turn[(i + n - 1) % n]), 0);
  }
}

static void by_pipes(int i, int n) {
  char byte = 0;
  for (int lap = 0; lap < LAPS; lap++) {
    struct pollfd file = {pipes[i][0], POLLIN, 0};
    EXPECT_EQ(poll(&file, 1, -1), 1);
    EXPECT_EQ(read(pipes[i][0], &byte, 1), 1);
    EXPECT_EQ(write(pipes[(i + n - 1) % n][1], &byte, 1), 1);
  }
}

// Even ones take what odd ones bring, one at a time; of an odd number the last takes no part.
static void by_condition(int i, int n) {
  if (i == (n & ~1)) return;
  for (int lap = 0; lap < LAPS; lap++) {
    int takes = i % 2 == 0;
    pthread_mutex_lock(&mutex);
    while (stored != takes) pthread_cond_wait(&changed, &mutex);
    stored = !takes;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
}

static void by_barrier(int i, int n) {
  (void)i, (void)n;
  for (int lap = 0; lap < LAPS; lap++) pthread_barrier_wait(&barrier);
}

// The first holds the mutex until the last task has begun.
static void by_mutex(int i, int n) {
  if (i == 0) {
    pthread_mutex_lock(&mutex);
    EXPECT_EQ(sem_wait(&turn[n]), 0);
  } else {
    if (i == n - 1) sem_post(&turn[n]);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
}

static void check(void (*meet)(int, int), int n) {
  done = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
    {
      meet(i, n);
      finish();
    }
  }
  EXPECT_EQ(done, n);
}

int main(void) {
  int n = omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST - 1;
  omp_set_dynamic(0);
  if (n < 2) return 0;
  for (int i = 0; i <= n; i++) {
    EXPECT_EQ(sem_init(&turn[i], 0, 0), 0);
    EXPECT_EQ(pipe(pipes[i]), 0);
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  for (int round = 0; round < ROUNDS; round++) {
    EXPECT_EQ(sem_post(&turn[n - 1]), 0);
    check(by_semaphores, n);
    EXPECT_EQ(sem_wait(&turn[n - 1]), 0);
    EXPECT_EQ(write(pipes[n - 1][1], "x", 1), 1);
    check(by_pipes, n);
    char byte;
    EXPECT_EQ(read(pipes[n - 1][0], &byte, 1), 1);
    check(by_condition, n);
    check(by_barrier, n);
    check(by_mutex, n);
  }
  return 0;
}
