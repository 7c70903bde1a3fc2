// SPDX-License-Identifier: Apache-2.0
// All members of a team meet at a pthread_barrier, several times, flat and in nested teams; and all
// members of all inner teams at one.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

enum { rounds = 4 };

static void meet(pthread_barrier_t *barrier, int *serial) {
  int self = omp_get_thread_num();
  for (int round = 0; round < rounds; round++) {
    int result = pthread_barrier_wait(barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
#pragma omp atomic
      ++*serial;
    } else {
      EXPECT_EQ(result, 0);
    }
    EXPECT_EQ(omp_get_thread_num(), self);
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : n >= 4 ? 2 : 1, outer = n / inner;
  pthread_barrier_t all;
  int serial = 0;
  pthread_barrier_init(&all, NULL, n);
#pragma omp parallel num_threads(n)
  meet(&all, &serial);
  EXPECT_EQ(serial, rounds);
#pragma omp parallel num_threads(n)
  {
#pragma omp barrier
    meet(&all, &serial);
#pragma omp barrier
  }
  EXPECT_EQ(serial, 2 * rounds);
  pthread_barrier_destroy(&all);
  pthread_barrier_init(&all, NULL, outer * inner);
#pragma omp parallel num_threads(outer)
  {
    pthread_barrier_t own;
    int own_serial = 0;
    pthread_barrier_init(&own, NULL, inner);
#pragma omp parallel num_threads(inner) shared(own, own_serial)
    {
      meet(&own, &own_serial);
      meet(&all, &serial);
    }
    EXPECT_EQ(own_serial, rounds);
    pthread_barrier_destroy(&own);
  }
  EXPECT_EQ(serial, 3 * rounds);
  pthread_barrier_destroy(&all);
  return 0;
}
