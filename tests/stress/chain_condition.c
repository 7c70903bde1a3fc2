// SPDX-License-Identifier: Apache-2.0
// Members blocked on a pthread mutex that another member holds over a barrier-free handshake, and on
// a condition variable, in a chain; then a semaphore ring.
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include "expect.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t links[64 + 1];
static sem_t ring[64 + 1];
static int turn;

static void take_turn(int self) {
  pthread_mutex_lock(&mutex);
  while (turn != self) pthread_cond_wait(&condition, &mutex);
  EXPECT_EQ(omp_get_thread_num(), self);
  turn = self - 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}

static void run_mutexes(int n) {
  static int ready[64 + 1];
  for (int i = 0; i < n; i++) ready[i] = 0;
#pragma omp parallel num_threads(n)
  {
    int self = omp_get_thread_num();
    pthread_mutex_lock(&links[self]);
    __atomic_store_n(&ready[self], 1, __ATOMIC_RELEASE);
    if (self + 1 < n) {
      while (!__atomic_load_n(&ready[self + 1], __ATOMIC_ACQUIRE)) usleep(50);
      pthread_mutex_lock(&links[self + 1]);
      pthread_mutex_unlock(&links[self + 1]);
    }
    pthread_mutex_unlock(&links[self]);
  }
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  for (int i = 0; i <= n; i++) {
    pthread_mutex_init(&links[i], NULL);
    sem_init(&ring[i], 0, 0);
  }
  for (int round = 0; round < 3; round++) {
    turn = n - 1;
#pragma omp parallel num_threads(n)
    take_turn(omp_get_thread_num());
    EXPECT_EQ(turn, -1);
    run_mutexes(n);
    sem_post(&ring[n]);
#pragma omp parallel num_threads(n)
    {
      int self = omp_get_thread_num();
      EXPECT_EQ(sem_wait(&ring[self + 1]), 0);
      sem_post(&ring[self]);
    }
    EXPECT_EQ(sem_wait(&ring[0]), 0);
  }
  return 0;
}
