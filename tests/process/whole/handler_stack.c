// SPDX-License-Identifier: Apache-2.0
// A member's handler runs on the member's stack, also where the signal finds a handler of the runtime's: that one asks OS
// threads which do not get on, on their alternate stack.
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stack_bounds.h"
#include "waits.h"

enum { kSent = SIGPWR, kAsks = SIGURG };  // the kernel begins handlers of lower signals first, and later ones above them
extern int tulle_set_policy(const char *name) __attribute__((weak));
static atomic_int handled;
static atomic_bool begun;

static void handle(int signal) {
  (void)signal;
  char here = 0;
  StackBounds bounds = own_stack_bounds();
  EXPECT(lies_within(&bounds, &here), "a handler runs at %p and not on its stack, %p and %zu bytes", (void *)&here,
         bounds.lowest, bounds.bytes);
  handled++;
}

static bool asks(void) {
  struct sigaction now;
  EXPECT_EQ(sigaction(kAsks, NULL, &now), 0);
  return now.sa_handler != SIG_DFL;
}

// Both at once, whatever the runtime knows of masks.
static void send_both(void) {
  unsigned long both = 1ul << (kSent - 1) | 1ul << (kAsks - 1), before;
  EXPECT_EQ(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &both, &before, sizeof both), 0);
  int id = (int)syscall(SYS_gettid);
  EXPECT_EQ(syscall(SYS_tgkill, getpid(), id, kSent), 0);
  EXPECT_EQ(syscall(SYS_tgkill, getpid(), id, kAsks), 0);
  EXPECT_EQ(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before), 0);
}

int main(void) {
  omp_set_dynamic(0);
  struct sigaction action = {.sa_handler = handle};
  EXPECT_EQ(sigaction(kSent, &action, NULL), 0);
  int count = 0;
#pragma omp parallel
  {
    // The others do not get on.
    if (omp_get_thread_num() == 0) {
      count = omp_get_num_threads();
      for (int naps = 0; naps < 10000 && tulle_set_policy != NULL && !asks(); naps++) usleep(1000);
      EXPECT(tulle_set_policy == NULL || asks(), "the runtime asks nobody");
      atomic_store(&begun, true);
    }
    while (!atomic_load(&begun)) {
    }
#pragma omp barrier
    send_both();
  }
  EXPECT_EQ(atomic_load(&handled), count);
  return 0;
}
