// SPDX-License-Identifier: Apache-2.0
// Pthreads come and go, and their records serve others. A team that was an initial thread's, with tasks
// outside of all regions, becomes one of a region: that waits for its tasks, at each of its barriers.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

enum { kAtOnce = 6, kRegions = 150, kTasks = 8 };

static pthread_barrier_t all_there, may_end[kAtOnce];

// GCC up to 12 takes a local event for uninitialised unless its address is known elsewhere.
static omp_event_handle_t *volatile known[kAtOnce];

static void outside_task(int number) {
  omp_event_handle_t event;
  known[number] = &event;
#pragma omp task detach(event)
  omp_fulfill_event(event);
#pragma omp taskwait
}

static void open_regions(int count) {
  for (int region = 0; region < count; region++) {
    int ran = 0, threads = 0;
#pragma omp parallel num_threads(2) shared(ran) reduction(+ : threads)
    {
      threads++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ran)
        __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
      }
    }
    EXPECT(ran == kTasks * threads, "%d tasks of %d in region %d", ran, kTasks * threads, region);
  }
}

// Some grow old before they end; all are there at one time, and end as they are told.
static void *run(void *argument) {
  int number = (int)(size_t)argument;
  outside_task(number);
  if (number % 2) open_regions(kRegions);
  pthread_barrier_wait(&all_there);
  outside_task(number);
  pthread_barrier_wait(&may_end[number]);
  return NULL;
}

static void generation(int round) {
  pthread_t threads[kAtOnce];
  for (int i = 0; i < kAtOnce; i++) {
    int number = round % 2 ? kAtOnce - 1 - i : i;
    EXPECT_EQ(pthread_create(&threads[number], NULL, run, (void *)(size_t)number), 0);
  }
  pthread_barrier_wait(&all_there);
  for (int i = 0; i < kAtOnce; i++) {
    int number = round % 3 ? i : kAtOnce - 1 - i;
    pthread_barrier_wait(&may_end[number]);
    pthread_join(threads[number], NULL);
  }
}

int main(void) {
  omp_set_dynamic(0);
  pthread_barrier_init(&all_there, NULL, kAtOnce + 1);
  for (int i = 0; i < kAtOnce; i++) pthread_barrier_init(&may_end[i], NULL, 2);
  for (int round = 0; round < 6; round++) generation(round);
  return 0;
}
