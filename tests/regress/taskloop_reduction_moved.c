// SPDX-License-Identifier: Apache-2.0
// An untied taskloop with a reduction whose body waits before it adds: it has the address of one thread's
// copy, and nobody else may add to that at the same time.
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include "expect.h"

enum { ROUNDS = 20, TRIPS = 40 };

static void *fulfill(void *event) {
  omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
  return NULL;
}

static void fulfill_from_outside(omp_event_handle_t event) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, fulfill, (void *)(uintptr_t)event), 0);
  pthread_detach(thread);
}

static void wait_for_outside(void) {
  omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
  fulfill_from_outside(event);
#pragma omp taskwait
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
    {
      long sum = 7;
#pragma omp taskloop untied reduction(+ : sum)
      for (int i = 0; i < TRIPS; i++) {
        wait_for_outside();
        long seen = sum;
        for (volatile int pause = 0; pause < 2000; pause++) continue;
        sum = seen + i + 1;
      }
      EXPECT_EQ(sum, 7 + TRIPS * (TRIPS + 1) / 2);
    }
  }
  return 0;
}
