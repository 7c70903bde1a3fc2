// SPDX-License-Identifier: Apache-2.0
// The kernel is told that membarrier will be used while the process has one OS thread: with several that takes it some 10 ms,
// which the first region would wait for.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "expect.h"

static volatile sig_atomic_t registrations;
static int release_other[2];

static void count(int signal) {
  (void)signal;
  registrations++;
}

static void *wait_for_release(void *unused) {
  char byte;
  while (read(release_other[0], &byte, 1) < 0) continue;
  return unused;
}

static int has_membarrier(void) {
  const long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return commands > 0 && (commands & MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
}

// Registrations are signalled from now on. False: the system has no such filters.
static int watch_registrations(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  signal(SIGSYS, count);
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(void) {
  if (!has_membarrier() || !watch_registrations()) {
    puts("left out: no membarrier here, or no filters of system calls");
    return 0;
  }
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  EXPECT(registrations == 1, "the filter sees nothing");
  registrations = 0;
  pthread_t other;
  EXPECT(pipe(release_other) == 0, "no pipe");
  pthread_create(&other, NULL, wait_for_release, NULL);
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  EXPECT(members > 0, "no region");
  EXPECT(registrations == 0, "%d registrations beside another thread", (int)registrations);
  EXPECT(write(release_other[1], "", 1) == 1, "no byte");
  pthread_join(other, NULL);
  return 0;
}
