// SPDX-License-Identifier: Apache-2.0
// Signals belong to members: one that is sent to a member runs its handler in that member, at once or when it
// runs again; a mask is the member's own after every wait; one that all threads block waits for whoever asks.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "waits.h"

enum { kMost = 64 };
static pthread_t names[kMost];
static __thread int own;
static volatile int handled[kMost], strangers;

static void handle(int signal) {
  (void)signal;
  if (pthread_equal(pthread_self(), names[own]))
    handled[own]++;
  else
    strangers++;
}

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

static int blocks(int signal) {
  sigset_t now;
  EXPECT_EQ(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
  return sigismember(&now, signal);
}

static void change(int how, int signal) {
  sigset_t set = set_of(signal);
  EXPECT_EQ(pthread_sigmask(how, &set, NULL), 0);
}

static void begin(void) {
  own = omp_get_thread_num();
  names[own] = pthread_self();
#pragma omp barrier
}

// Every other member, while those run or wait; a member does not wait in a region for what it is sent while it
// waits in one.
static void send_to_all(int count) {
  for (int i = 0; i < kMost; i++) handled[i] = 0;
#pragma omp parallel num_threads(count)
  {
    begin();
    for (int other = 1; other < omp_get_num_threads(); other++)
      if (own == 0) EXPECT_EQ(pthread_kill(names[other], SIGUSR1), 0);
#pragma omp barrier
    if (own != 0)
      for (int i = 0; i < 10000 && handled[own] == 0; i++) usleep(10);
    EXPECT(own == 0 || handled[own] == 1, "member %d has handled %d signals", own, handled[own]);
    EXPECT_EQ(pthread_kill(pthread_self(), SIGUSR1), 0);
    EXPECT(handled[own] == 1 + (own != 0), "member %d has handled %d signals", own, handled[own]);
  }
  EXPECT(strangers == 0, "%d signals were handled in another member", strangers);
}

static void check_mask(int number, const char *where) {
  EXPECT(blocks(SIGUSR2) == number % 2, "member %d: %s", number, where);
}

static void masks(int count) {
#pragma omp parallel num_threads(count)
  {
    begin();
    if (own % 2) change(SIG_BLOCK, SIGUSR2);
    wait_in_many_ways(check_mask);
    change(SIG_UNBLOCK, SIGUSR2);
#pragma omp barrier
    EXPECT(!blocks(SIGUSR2), "member %d still blocks it", own);
  }
}

// One that is sent to a member which blocks it waits until that lets it in.
static void blocked(int count) {
#pragma omp parallel num_threads(count)
  {
    begin();
    handled[own] = 0;
    change(SIG_BLOCK, SIGUSR1);
#pragma omp barrier
    EXPECT_EQ(pthread_kill(names[(own + 1) % omp_get_num_threads()], SIGUSR1), 0);
#pragma omp barrier
    EXPECT(handled[own] == 0, "member %d handles what it blocks", own);
    change(SIG_UNBLOCK, SIGUSR1);
    EXPECT(handled[own] == 1, "member %d has handled %d signals", own, handled[own]);
  }
}

static int wait_for(int signal, int way) {
  sigset_t set = set_of(signal);
  struct timespec limit = {20, 0};
  int got = 0;
  if (way == 0) EXPECT_EQ(sigwait(&set, &got), 0);
  if (way == 1) got = sigwaitinfo(&set, NULL);
  if (way == 2) got = sigtimedwait(&set, NULL, &limit);
  return got;
}

// The process's signal, and the waiting member's.
static void await(int count) {
#pragma omp parallel num_threads(count)
  {
    begin();
    sigset_t set = set_of(SIGUSR2), before;
    EXPECT_EQ(sigprocmask(SIG_BLOCK, &set, &before), 0);
    for (int way = 0; way < 3; way++) {
      int waiter = (way + 1) % omp_get_num_threads();
#pragma omp barrier
      if (own == 0 && waiter != 0) EXPECT_EQ(pthread_kill(names[waiter], SIGUSR2), 0);
      if (own == waiter && waiter != 0) EXPECT_EQ(wait_for(SIGUSR2, way), SIGUSR2);
#pragma omp barrier
      if (own == 0) EXPECT_EQ(kill(getpid(), SIGUSR2), 0);
      if (own == waiter) EXPECT_EQ(wait_for(SIGUSR2, way), SIGUSR2);
    }
#pragma omp barrier
    EXPECT_EQ(sigprocmask(SIG_SETMASK, &before, NULL), 0);
  }
}

int main(void) {
  omp_set_dynamic(0);
  int most = omp_get_max_threads() < kMost ? omp_get_max_threads() : kMost;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  EXPECT_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  for (int round = 0; round < 5; round++) {
    send_to_all(most);
    masks(most);
    blocked(most);
    await(most);
  }
  return 0;
}
