// SPDX-License-Identifier: Apache-2.0
// A member is sent signals while the kernel holds its OS thread, here until a child of vfork() ends. What the runtime has
// told that one meanwhile, again and again, does not pile up on its alternate stack.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "waits.h"

enum { kSignals = 8 };
static __thread int own;
static pthread_t receiver;
static volatile int begun, held, handled;

static void handle(int signal) {
  (void)signal;
  handled += own;
}

static void be_held(void) {
  int status;
  receiver = pthread_self();
  begun = 1;
  while (handled == 0) usleep(100);  // from now on everybody knows of signals
  held = 1;
  pid_t child = vfork();
  if (child == 0) {
    usleep(500000);
    _exit(0);
  }
  EXPECT(child > 0 && waitpid(child, &status, 0) == child, "no child");
}

static void *send(void *unused) {
  while (!begun) usleep(100);
  EXPECT_EQ(pthread_kill(receiver, SIGUSR1), 0);
  while (!held) usleep(100);
  usleep(50000);
  for (int i = 0; i < kSignals; i++) EXPECT_EQ(pthread_kill(receiver, SIGUSR1), 0);
  return unused;
}

int main(void) {
  pthread_t sender;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  EXPECT_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  EXPECT_EQ(pthread_create(&sender, NULL, send, NULL), 0);
#pragma omp parallel num_threads(2)
  {
    own = omp_get_thread_num();
    if (own == 1) be_held();
  }
  EXPECT_EQ(pthread_join(sender, NULL), 0);
  for (int naps = 0; naps < 500 && handled < 2; naps++) usleep(10000);
  EXPECT(handled > 1, "the member has handled no signal but the first");
  return 0;
}
