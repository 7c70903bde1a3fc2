// SPDX-License-Identifier: Apache-2.0
// Counts the user instructions that a program's initial thread executes between its first and its
// second SIGUSR1, by single steps: exact, the same on every machine, and possible where the processor's
// counters are not available. Usage: count PROGRAM ARGUMENTS; prints the number.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "count: %s\n", what);
  exit(2);
}

// Continues the child until it stops, and returns the signal that stopped it.
static int resume(pid_t child, enum __ptrace_request how, int signal_to_deliver) {
  int status;
  if (ptrace(how, child, 0, signal_to_deliver) != 0) fail("ptrace failed");
  if (waitpid(child, &status, 0) != child) fail("waitpid failed");
  if (!WIFSTOPPED(status)) fail("the program ended before its second mark");
  return WSTOPSIG(status);
}

static long steps_between_marks(pid_t child) {
  int sent = 0;
  do sent = resume(child, PTRACE_CONT, sent == SIGTRAP ? 0 : sent);
  while (sent != SIGUSR1);
  long steps = 0;
  for (sent = 0;; steps++) {
    sent = resume(child, PTRACE_SINGLESTEP, sent == SIGTRAP ? 0 : sent);
    if (sent == SIGUSR1) return steps;
  }
}

int main(int argc, char **argv) {
  if (argc < 2) fail("usage: count PROGRAM ARGUMENTS");
  pid_t child = fork();
  if (child < 0) fail("fork failed");
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) fail("the program could not be started");
  printf("%ld\n", steps_between_marks(child));
  ptrace(PTRACE_KILL, child, 0, 0);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return 0;
}
