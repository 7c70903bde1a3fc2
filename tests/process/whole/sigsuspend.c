// SPDX-License-Identifier: Apache-2.0
// A member that waits by sigsuspend() in a handler goes on by the signal that it waits for, whatever is sent to it at the
// same moment and stays blocked.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "waits.h"

enum { kRounds = 4000, kAwaited = SIGUSR2, kOther = SIGUSR1, kBegin = SIGALRM };
static pthread_t waiter;
static volatile sig_atomic_t handled, others;
static atomic_int ended, finished;

static void handle(int signal) {
  if (signal == kAwaited)
    handled++;
  else
    others++;
}

// A handler, which blocks everything.
static void await_all(int signal) {
  (void)signal;
  sigset_t but_awaited;
  sigfillset(&but_awaited);
  sigdelset(&but_awaited, kAwaited);
  for (int round = 1; round <= kRounds; round++) {
    while (handled < round) sigsuspend(&but_awaited);
    atomic_store(&ended, round);
  }
  finished = 1;
}

// A nap now and then lets the waiter sleep.
static void send_awaited(void) {
  for (int round = 1; round <= kRounds; round++) {
    if (round % 4 == 0) usleep(20);
    EXPECT_EQ(pthread_kill(waiter, kAwaited), 0);
    for (int naps = 0; atomic_load(&ended) < round; naps++) {
      EXPECT(naps < 2000, "signal %d is handled, %d of them, and the member sleeps in sigsuspend()", round, (int)handled);
      usleep(naps < 100 ? 10 : 10000);
    }
  }
}

static void send_others(void) {
  while (!finished) EXPECT_EQ(pthread_kill(waiter, kOther), 0);
}

// The senders are OS threads of the program: whatever the team has for workers, both run.
static void *run_sender(void *role) {
  ((void (*)(void))role)();
  return NULL;
}

int main(void) {
  omp_set_dynamic(0);
  struct sigaction action = {.sa_handler = handle};
  sigfillset(&action.sa_mask);
  EXPECT_EQ(sigaction(kAwaited, &action, NULL), 0);
  EXPECT_EQ(sigaction(kOther, &action, NULL), 0);
  action.sa_handler = await_all;
  EXPECT_EQ(sigaction(kBegin, &action, NULL), 0);
#pragma omp parallel
#pragma omp single
  {
    waiter = pthread_self();
    pthread_t senders[2];
    EXPECT_EQ(pthread_create(&senders[0], NULL, run_sender, (void *)send_awaited), 0);
    EXPECT_EQ(pthread_create(&senders[1], NULL, run_sender, (void *)send_others), 0);
    EXPECT_EQ(pthread_kill(waiter, kBegin), 0);
    for (int i = 0; i < 2; i++) EXPECT_EQ(pthread_join(senders[i], NULL), 0);
  }
  EXPECT(handled == kRounds, "%d signals were handled", (int)handled);
  return 0;
}
