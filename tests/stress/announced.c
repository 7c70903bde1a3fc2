// SPDX-License-Identifier: Apache-2.0
// Members that wait in the C library for what other members announce there: condition variables under mutexes of
// each kind, futex calls, semaphores, each with a time limit and without, barriers, which pthreads of the program come
// to as well. They are suspended, so hardly any OS thread sleeps. The monitor does not look in this test.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"
#include "expect.h"

enum { rounds = 100, most = 64 };

struct meeting {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int arrived;
  unsigned phase;
};

static int members;
static sem_t semaphores[most];

static long sleeps(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

static void by_condition(struct meeting *meeting) {
  EXPECT_EQ(pthread_mutex_lock(&meeting->mutex), 0);
  unsigned phase = meeting->phase;
  if (++meeting->arrived == members) {
    meeting->arrived = 0;
    ++meeting->phase;
    pthread_cond_broadcast(&meeting->changed);
  }
  while (meeting->phase == phase) EXPECT_EQ(pthread_cond_wait(&meeting->changed, &meeting->mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&meeting->mutex), 0);
}

// Each wakes the next one.
static void by_signals(struct meeting *meeting) {
  EXPECT_EQ(pthread_mutex_lock(&meeting->mutex), 0);
  unsigned phase = meeting->phase;
  if (++meeting->arrived == members) {
    meeting->arrived = 0;
    ++meeting->phase;
  }
  while (meeting->phase == phase) EXPECT_EQ(pthread_cond_wait(&meeting->changed, &meeting->mutex), 0);
  EXPECT_EQ(pthread_cond_signal(&meeting->changed), 0);
  EXPECT_EQ(pthread_mutex_unlock(&meeting->mutex), 0);
}

static void by_futex(struct meeting *meeting) {
  unsigned phase = __atomic_load_n(&meeting->phase, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == members) {
    meeting->arrived = 0;
    __atomic_store_n(&meeting->phase, phase + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &meeting->phase, FUTEX_WAKE_PRIVATE, members, NULL, NULL, 0);
    return;
  }
  while (__atomic_load_n(&meeting->phase, __ATOMIC_ACQUIRE) == phase)
    syscall(SYS_futex, &meeting->phase, FUTEX_WAIT_PRIVATE, phase, NULL, NULL, 0);
}

static void by_timed_condition(struct meeting *meeting) {
  struct timespec end = in_an_hour(CLOCK_REALTIME), monotonic = in_an_hour(CLOCK_MONOTONIC);
  EXPECT_EQ(pthread_mutex_lock(&meeting->mutex), 0);
  unsigned phase = meeting->phase;
  if (++meeting->arrived == members) {
    meeting->arrived = 0;
    ++meeting->phase;
    pthread_cond_broadcast(&meeting->changed);
  }
  while (meeting->phase == phase)
    EXPECT_EQ(phase % 2 ? pthread_cond_timedwait(&meeting->changed, &meeting->mutex, &end)
                        : pthread_cond_clockwait(&meeting->changed, &meeting->mutex, CLOCK_MONOTONIC, &monotonic),
              0);
  EXPECT_EQ(pthread_mutex_unlock(&meeting->mutex), 0);
}

static void by_timed_futex(struct meeting *meeting) {
  struct timespec limit = {3600, 0}, end = in_an_hour(CLOCK_REALTIME);
  unsigned phase = __atomic_load_n(&meeting->phase, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == members) {
    meeting->arrived = 0;
    __atomic_store_n(&meeting->phase, phase + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &meeting->phase, FUTEX_WAKE_PRIVATE, members, NULL, NULL, 0);
    return;
  }
  while (__atomic_load_n(&meeting->phase, __ATOMIC_ACQUIRE) == phase)
    if (phase % 2)
      syscall(SYS_futex, &meeting->phase, FUTEX_WAIT_PRIVATE, phase, &limit, NULL, 0);
    else
      syscall(SYS_futex, &meeting->phase, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, phase, &end, NULL,
              FUTEX_BITSET_MATCH_ANY);
}

// Round a ring: each waits for the one before it, in one of three ways.
static void by_semaphores(struct meeting *meeting) {
  int self = omp_get_thread_num();
  struct timespec end = in_an_hour(CLOCK_REALTIME), monotonic = in_an_hour(CLOCK_MONOTONIC);
  if (self == 0) EXPECT_EQ(sem_post(&semaphores[members > 1]), 0);
  int error = self % 3 == 0   ? sem_wait(&semaphores[self])
              : self % 3 == 1 ? sem_timedwait(&semaphores[self], &end)
                              : sem_clockwait(&semaphores[self], CLOCK_MONOTONIC, &monotonic);
  EXPECT_EQ(error, 0);
  if (self != 0) EXPECT_EQ(sem_post(&semaphores[(self + 1) % members]), 0);
  if (self == 0) ++meeting->phase;
}

static void meet(int mutex_kind, void (*way)(struct meeting *)) {
  struct meeting meeting = {.arrived = 0};
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, mutex_kind);
  pthread_mutex_init(&meeting.mutex, &kind);
  pthread_cond_init(&meeting.changed, NULL);
#pragma omp parallel
  way(&meeting);  // where the OS threads of whole members begin
  long before = sleeps();
#pragma omp parallel
  {
    int self = omp_get_thread_num();
    for (int round = 0; round < rounds; ++round) way(&meeting);
    EXPECT_EQ(omp_get_thread_num(), self);
  }
  // Blocked, every member but one would sleep in each round.
  if (members > 2 && getenv("TULLE_WAITS") == NULL)
    EXPECT(sleeps() - before < rounds * (members - 1) / 2, "OS threads slept %ld times", sleeps() - before);
  EXPECT_EQ(meeting.phase, rounds + 1u);
  pthread_mutex_destroy(&meeting.mutex);
  pthread_cond_destroy(&meeting.changed);
}

// A mutex that does not belong to the caller: the wait says so, and waits for nobody.
static void wait_without_mutex(void) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
#pragma omp parallel
  EXPECT(pthread_cond_wait(&condition, &mutex) != 0, "a wait without its mutex is one");
}

static pthread_barrier_t barrier;
static int serial;

static void *pass_barrier(void *unused) {
  for (int round = 0; round < rounds; ++round)
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
  return unused;
}

static void meet_pthreads(int shared) {
  enum { pthreads = 2 };
  pthread_t others[pthreads];
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, shared);
  serial = 0;
  EXPECT_EQ(pthread_barrier_init(&barrier, &attributes, members + pthreads), 0);
  for (int i = 0; i < pthreads; ++i) EXPECT_EQ(pthread_create(&others[i], NULL, pass_barrier, NULL), 0);
#pragma omp parallel
  pass_barrier(NULL);
  for (int i = 0; i < pthreads; ++i) pthread_join(others[i], NULL);
  EXPECT_EQ(serial, rounds);
  EXPECT_EQ(pthread_barrier_destroy(&barrier), 0);
}

// Whoever passes a barrier may destroy it at once, and make another one there.
static void meet_and_destroy(void) {
  for (int round = 0; round < rounds; ++round) {
    EXPECT_EQ(pthread_barrier_init(&barrier, NULL, members), 0);
#pragma omp parallel
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(&barrier);
  }
  EXPECT(pthread_barrier_init(&barrier, NULL, 0) != 0, "a barrier of nobody is one");
}

int main(void) {
  omp_set_dynamic(0);
  members = omp_get_max_threads();
  meet(PTHREAD_MUTEX_NORMAL, by_condition);
  meet(PTHREAD_MUTEX_NORMAL, by_signals);
  meet(PTHREAD_MUTEX_RECURSIVE, by_condition);
  meet(PTHREAD_MUTEX_ERRORCHECK, by_condition);
  meet(PTHREAD_MUTEX_NORMAL, by_futex);
  meet(PTHREAD_MUTEX_NORMAL, by_timed_condition);
  meet(PTHREAD_MUTEX_NORMAL, by_timed_futex);
  for (int i = 0; i < members; ++i) EXPECT_EQ(sem_init(&semaphores[i], 0, 0), 0);
  meet(PTHREAD_MUTEX_NORMAL, by_semaphores);
  wait_without_mutex();
  meet_pthreads(PTHREAD_PROCESS_PRIVATE);
  meet_pthreads(PTHREAD_PROCESS_SHARED);
  meet_and_destroy();
  return 0;
}
