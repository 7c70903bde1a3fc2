// SPDX-License-Identifier: Apache-2.0
// The first signal that anybody is sent by pthread_kill() comes while a member is in a handler that blocks everything. That
// is not the member's own mask: the signal is handled after it.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "waits.h"

enum { kSent = SIGUSR1, kBegin = SIGALRM };
static atomic_int handled, in_handler;
static atomic_bool sent;

static void handle(int signal) {
  (void)signal;
  handled++;
}

static void stay(int signal) {
  (void)signal;
  in_handler++;
  while (!atomic_load(&sent)) usleep(1000);
}

static void *send_one(void *thread) {
  while (atomic_load(&in_handler) == 0) usleep(100);
  EXPECT_EQ(pthread_kill(*(pthread_t *)thread, kSent), 0);
  atomic_store(&sent, true);
  return NULL;
}

int main(void) {
  omp_set_dynamic(0);
  struct sigaction action = {.sa_handler = handle};
  sigfillset(&action.sa_mask);
  EXPECT_EQ(sigaction(kSent, &action, NULL), 0);
  action.sa_handler = stay;
  EXPECT_EQ(sigaction(kBegin, &action, NULL), 0);
  pthread_t sender = pthread_self(), receiver;
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      receiver = pthread_self();
      EXPECT_EQ(pthread_create(&sender, NULL, send_one, &receiver), 0);
      syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), kBegin);
    }
    // The first one too: so another OS thread than the initial one runs the last.
    for (int naps = 0; atomic_load(&handled) == 0; naps++) {
      EXPECT(naps < 500, "the signal is not handled");
      usleep(10000);
    }
  }
  EXPECT_EQ(pthread_join(sender, NULL), 0);
  EXPECT_EQ(atomic_load(&handled), 1);
  return 0;
}
