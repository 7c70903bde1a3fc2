// SPDX-License-Identifier: Apache-2.0
// A mutex that was free is taken by another OS thread just before a member's call: the call still tells of itself, and
// the one worker's other members begin. One of them lets the mutex go. The monitor hardly looks in this test.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include "expect.h"
#include "spin.h"

extern void (*before_mutex)(pthread_mutex_t *); // taken_first_hook.c

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int is_taken, may_go, calls;

static void *take(void *unused) {
  EXPECT_EQ(pthread_mutex_lock(&gate), 0);
  set_flag(&is_taken);
  spin_until_set(&may_go);
  EXPECT_EQ(pthread_mutex_unlock(&gate), 0);
  return unused;
}

static void take_first(pthread_mutex_t *mutex) {
  pthread_t taker;
  if (mutex != &gate || __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) != 0) return;
  EXPECT_EQ(pthread_create(&taker, NULL, take, NULL), 0);
  pthread_detach(taker);
  spin_until_set(&is_taken);
}

typedef int Lock(pthread_mutex_t *);

static int lock_until(pthread_mutex_t *mutex) {
  struct timespec end = {INT32_MAX, 0};
  return pthread_mutex_timedlock(mutex, &end);
}

static int clock_lock_until(pthread_mutex_t *mutex) {
  struct timespec end = {INT32_MAX, 0};
  return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &end);
}

int main(void) {
  Lock *const locks[] = {pthread_mutex_lock, lock_until, clock_lock_until};
  for (int i = 0; i < 3; i++) {
    is_taken = may_go = calls = 0;
    before_mutex = take_first;
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
      EXPECT_EQ(locks[i](&gate), 0);
      EXPECT_EQ(pthread_mutex_unlock(&gate), 0);
    } else {
      set_flag(&may_go);
    }
    before_mutex = NULL;
    EXPECT(calls > 1, "nobody called the next library's function");
  }
  return 0;
}
