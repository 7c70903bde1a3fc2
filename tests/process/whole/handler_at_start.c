// SPDX-License-Identifier: Apache-2.0
// The first signal that anybody is sent by pthread_kill() comes while the receiver starts OS threads, for which the runtime
// blocks all signals: the receiver does not, and handles it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "waits.h"

static _Thread_local int own;  // so members have OS threads of their own
static atomic_int handled;
static atomic_bool stays, starts;

static void handle(int signal) {
  (void)signal;
  handled++;
}

static void stay_for(double seconds) {
  for (double end = omp_get_wtime() + seconds; omp_get_wtime() < end;) usleep(1000);
}

// In front of the C library's.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
  if (syscall(SYS_gettid) == getpid() && atomic_exchange(&stays, false)) {
    atomic_store(&starts, true);
    stay_for(0.2);
  }
  return next(thread, attributes, run, argument);
}

static void *send_one(void *receiver) {
  while (!atomic_load(&starts)) usleep(100);
  EXPECT_EQ(pthread_kill(*(pthread_t *)receiver, SIGUSR1), 0);
  return NULL;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  EXPECT(signal(SIGUSR1, handle) != SIG_ERR, "no handler");
  pthread_t sender, self = pthread_self();
  EXPECT_EQ(pthread_create(&sender, NULL, send_one, &self), 0);
#pragma omp parallel
  {
    own++;
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      atomic_store(&stays, true);
#pragma omp parallel num_threads(omp_get_num_threads())
      own++;
      EXPECT(!atomic_load(&stays), "no OS thread was started");
      for (double end = omp_get_wtime() + 5; atomic_load(&handled) == 0 && omp_get_wtime() < end;) usleep(1000);
    }
  }
  EXPECT_EQ(atomic_load(&handled), 1);
  EXPECT_EQ(pthread_join(sender, NULL), 0);
  return 0;
}
