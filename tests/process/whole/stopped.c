// SPDX-License-Identifier: Apache-2.0
// One thread stops all others by signals, looks at their stacks, and lets them go on, as collectors do: also those that
// wait, in whatever way, and those that are between two regions. Each handler runs in the thread that was asked, below
// what that one keeps on its stack.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

#include "waits.h"

enum { kMost = 64, kStop = SIGUSR1, kGoOn = SIGUSR2 };

struct Known {
  pthread_t name;
  char *lowest, *end;         // of its stack, as the C library says
  volatile uintptr_t *kept;   // something that it keeps there
  char *volatile stopped_at;
  atomic_int stops;
};
static struct Known all[kMost];
static __thread struct Known *own;
static sem_t stopped;
static atomic_int stop_count, world_stopped;

static uintptr_t secret_of(const struct Known *known) { return 0x5eed0000u + (uintptr_t)(known - all); }

static void stop(int signal) {
  (void)signal;
  int saved = errno, count = stop_count;
  sigset_t but_go_on;
  sigfillset(&but_go_on);
  sigdelset(&but_go_on, kGoOn);
  own->stopped_at = (char *)__builtin_frame_address(0);
  own->stops++;
  sem_post(&stopped);
  while (world_stopped && stop_count == count) sigsuspend(&but_go_on);
  sem_post(&stopped);
  errno = saved;
}

static void go_on(int signal) { (void)signal; }

static void know(int number, volatile uintptr_t *kept) {
  pthread_attr_t attributes;
  void *lowest;
  size_t bytes;
  own = &all[number];
  own->name = pthread_self();
  EXPECT_EQ(pthread_getattr_np(own->name, &attributes), 0);
  EXPECT_EQ(pthread_attr_getstack(&attributes, &lowest, &bytes), 0);
  pthread_attr_destroy(&attributes);
  own->lowest = lowest;
  own->end = own->lowest + bytes;
  own->kept = kept;
  *kept = secret_of(own);
}

static void send(int count, int signal) {
  for (int i = 0; i < count; i++)
    if (&all[i] != own) EXPECT_EQ(pthread_kill(all[i].name, signal), 0);
}

static void await(int count) {
  for (int i = 0; i < count; i++)
    if (&all[i] != own)
      while (sem_wait(&stopped) != 0) EXPECT_EQ(errno, EINTR);
}

static void look(const struct Known *thread, int keeps) {
  int number = (int)(thread - all);
  const char *at = thread->stopped_at;
  EXPECT(at >= thread->lowest && at < thread->end, "member %d was stopped at %p, its stack is %p to %p", number,
         (const void *)at, (void *)thread->lowest, (void *)thread->end);
  if (!keeps) return;
  EXPECT(at < (const char *)thread->kept, "member %d was stopped at %p, above what it keeps at %p", number,
         (const void *)at, (const void *)thread->kept);
  EXPECT(*thread->kept == secret_of(thread), "member %d keeps %lx", number, (unsigned long)*thread->kept);
}

// By the thread that `own` is, one of the first `count`.
static void stop_the_world(int count, int keeps) {
  int before[kMost];
  for (int i = 0; i < count; i++) before[i] = all[i].stops;
  stop_count++;
  world_stopped = 1;
  send(count, kStop);
  await(count);
  for (int i = 0; i < count; i++) {
    if (&all[i] == own) continue;
    EXPECT(all[i].stops == before[i] + 1, "member %d has stopped %d times", i, all[i].stops - before[i]);
    look(&all[i], keeps);
  }
  world_stopped = 0;
  send(count, kGoOn);
  await(count);
}

// `flag` says that it is over.
static void compute_until(const atomic_int *flag) {
  while (!*flag) __asm__ volatile("" ::: "memory");
}

static void in_region(int count, int stopper) {
  atomic_int over = 0;
#pragma omp parallel num_threads(count)
  {
    volatile uintptr_t kept;
    know(omp_get_thread_num(), &kept);
    int is_stopper = omp_get_thread_num() == stopper;
#pragma omp barrier
    // The others wait at the barrier.
    if (is_stopper) stop_the_world(count, 1);
#pragma omp barrier
    // They wait for a lock, at an ordered region, or in a taskwait.
#pragma omp critical
    if (is_stopper) stop_the_world(count, 1);
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < count; i++) {
#pragma omp ordered
      if (i == stopper) stop_the_world(count, 1);
    }
    // Some compute.
    if (is_stopper) {
      stop_the_world(count, 1);
      over = 1;
    } else if (omp_get_thread_num() % 2 == 0) {
      compute_until(&over);
    }
#pragma omp barrier
    // They go on and wait, again and again, while they are stopped.
    for (int i = 0; i < 20; i++) {
      if (is_stopper) stop_the_world(count, 1);
      if (!is_stopper && i % 5 == 0) usleep(100);
#pragma omp barrier
      EXPECT(kept == secret_of(own), "a member keeps %lx", (unsigned long)kept);
    }
  }
}

int main(void) {
  omp_set_dynamic(0);
  int most = omp_get_max_threads() < kMost ? omp_get_max_threads() : kMost;
  EXPECT_EQ(sem_init(&stopped, 0, 0), 0);
  struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  EXPECT_EQ(sigaction(kStop, &action, NULL), 0);
  action.sa_handler = go_on;
  EXPECT_EQ(sigaction(kGoOn, &action, NULL), 0);
  for (int round = 0; round < 4; round++) {
    in_region(most, round % most);
    // Between two regions: the encountering thread is member 0.
    stop_the_world(most, 0);
  }
  return 0;
}
