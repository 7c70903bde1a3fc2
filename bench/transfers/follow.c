// SPDX-License-Identifier: Apache-2.0
// Follows a team through a program by single steps, one member at a time, and writes what each step was
// to begin with: whose, and the registers. Members name themselves by SIGUSR2; the initial thread sets
// marks by SIGUSR1, and members run freely up to the first one. A member's turn ends where it pauses or
// gives up its core, so the order is the same in each run, on any machine. Other threads stand still.
// Usage: follow PROGRAM ARGUMENTS; writes records to standard output, after the last mark /proc/PID/maps
// to standard error.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_MEMBERS = 64, SEEN = 1 << 16, LONGEST_TURN = 100000 };

// What count.py reads.
typedef struct Record {
  int64_t member;  // -1: a mark
  struct user_regs_struct registers;
} Record;

typedef enum Step { step_plain, step_pause, step_system_call } Step;

static pid_t members[MOST_MEMBERS];
static int member_count;

static void fail(const char *what) {
  fprintf(stderr, "follow: %s\n", what);
  exit(2);
}

static void request(enum __ptrace_request what, pid_t thread, long data) {
  if (ptrace(what, thread, 0, data) != 0) fail("ptrace failed");
}

// The signal that a thread stopped with and that it shall get; 0 for ptrace's own stops.
static int stop_signal(int status) {
  if (!WIFSTOPPED(status)) fail("the program ended before its last mark");
  return status >> 16 ? 0 : WSTOPSIG(status);
}

static int member_number(pid_t thread) {
  for (int i = 0; i < member_count; i++)
    if (members[i] == thread) return i;
  return -1;
}

static void note_member(pid_t thread) {
  if (member_number(thread) >= 0) return;
  if (member_count == MOST_MEMBERS) fail("too many members");
  members[member_count++] = thread;
}

static pid_t start(char **command) {
  pid_t child = fork();
  if (child < 0) fail("fork failed");
  if (child == 0) {
    raise(SIGSTOP);
    execv(command[0], command);
    _exit(127);
  }
  int status;
  if (waitpid(child, &status, WUNTRACED) != child) fail("waitpid failed");
  request(PTRACE_SEIZE, child, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  kill(child, SIGCONT);
  return child;
}

// Lets all run until the initial thread, member 0, sets its first mark.
static void run_to_mark(pid_t initial) {
  note_member(initial);
  for (;;) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) fail("waitpid failed");
    if (!WIFSTOPPED(status) && thread != initial) continue;
    int sent = stop_signal(status);
    if (sent == SIGUSR1 && thread == initial) return;
    if (sent == SIGUSR2) note_member(thread);
    request(PTRACE_CONT, thread, sent == SIGUSR2 || sent == SIGSTOP || sent == SIGTRAP ? 0 : sent);
  }
}

static void stop_others(void) {
  for (int i = 1; i < member_count; i++) {
    int status;
    request(PTRACE_INTERRUPT, members[i], 0);
    if (waitpid(members[i], &status, __WALL) != members[i]) fail("waitpid failed");
    stop_signal(status);
  }
}

// By the instruction's bytes, which are read once for each address.
static Step kind_of_step(pid_t thread, uint64_t address) {
  static struct { uint64_t address; Step step; } seen[SEEN];
  uint64_t place = address * 0x9e3779b97f4a7c15u >> 48;
  if (seen[place].address == address) return seen[place].step;
  errno = 0;
  uint64_t bytes = (uint64_t)ptrace(PTRACE_PEEKTEXT, thread, address, 0);
  Step step = step_plain;
  if ((bytes & 0xffff) == 0x90f3) step = step_pause;
  if ((bytes & 0xffff) == 0x050f) step = step_system_call;
  if (errno == 0) {
    seen[place].address = address;
    seen[place].step = step;
  }
  return step;
}

// The member has nothing to do but wait for others. A member that sleeps cannot be stepped on.
static bool gives_way(Step step, const struct user_regs_struct *registers) {
  if (step != step_system_call) return step == step_pause;
  if (registers->rax == SYS_futex && (registers->rsi & 127) == 0) fail("a member went to sleep");
  return registers->rax == SYS_sched_yield;
}

// One turn. True: the initial thread has set a mark.
static bool take_turn(int member) {
  for (int steps = 0; steps < LONGEST_TURN; steps++) {
    Record record = {.member = member};
    request(PTRACE_GETREGS, members[member], (long)&record.registers);
    Step step = kind_of_step(members[member], record.registers.rip);
    if (fwrite(&record, sizeof record, 1, stdout) != 1) fail("no room for the records");
    int status;
    request(PTRACE_SINGLESTEP, members[member], 0);
    if (waitpid(members[member], &status, __WALL) != members[member]) fail("waitpid failed");
    if (stop_signal(status) == SIGUSR1) return true;
    if (gives_way(step, &record.registers)) return false;
  }
  fail("a member's turn does not end");
  return false;
}

static void follow(int marks) {
  const Record mark = {.member = -1};
  for (int passed = 1; passed < marks;)
    for (int i = 0; i < member_count && passed < marks; i++)
      while (take_turn(i)) {
        fwrite(&mark, sizeof mark, 1, stdout);
        if (++passed == marks) break;
      }
}

static void print_maps(pid_t child) {
  char name[64], line[512];
  snprintf(name, sizeof name, "/proc/%d/maps", child);
  FILE *maps = fopen(name, "r");
  while (maps && fgets(line, sizeof line, maps)) fputs(line, stderr);
}

// `follow MARKS PROGRAM ARGUMENTS`.
int main(int argc, char **argv) {
  int marks = argc > 2 ? atoi(argv[1]) : 0;
  if (marks < 2) fail("usage: follow MARKS PROGRAM ARGUMENTS");
  pid_t child = start(argv + 2);
  run_to_mark(child);
  stop_others();
  follow(marks);
  print_maps(child);
  kill(child, SIGKILL);
  return 0;
}
