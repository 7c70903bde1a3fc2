// SPDX-License-Identifier: Apache-2.0
// Waits of 30 ms that are no work: in the C library, with the OS thread and without; for a device; for an ordered region.
#include <pthread.h>
#include <unistd.h>

#include "work.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int told;

__attribute__((noinline)) static void sleeping(void) {
#pragma omp parallel num_threads(2)
  usleep(30000);
}

__attribute__((noinline)) static void waiting(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) work_us(30000);
    pthread_mutex_lock(&mutex);
    if (omp_get_thread_num() == 0) told = 1, pthread_cond_signal(&condition);
    while (!told) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  }
}

__attribute__((noinline)) static void offloading(void) {
#pragma omp parallel num_threads(1)
  {
    const long turns = 30 * turns_per_ms();
#pragma omp target map(to : turns) device(0)
    turn(turns);
  }
}

__attribute__((noinline)) static void in_order(void) {
#pragma omp parallel for num_threads(2) ordered schedule(dynamic)
  for (int i = 0; i < 30; ++i) {
#pragma omp ordered
    work_us(1000);
  }
}

int main(void) {
  turns_per_ms();
  sleeping();
  waiting();
  offloading();
  in_order();
  return 0;
}
