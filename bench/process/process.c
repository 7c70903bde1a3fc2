// SPDX-License-Identifier: Apache-2.0
// What a process pays for its runtime: `--startup N` starts N times a process that opens one region and
// ends, and prints their wall times as a JSON line; `--loading N` the same of one that opens none; `--idle SECONDS`
// prints the CPU time burnt while the process sits outside regions; `--serial SECONDS` what OS threads burn beside one
// that opens a region and then computes. `--creation` prints the time that a member takes to be made, `--memory` what a
// member keeps resident after its region, both of a team of kMembers, the second of the process.
#define _GNU_SOURCE
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int open_region(void) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members += 1;
  return members >= 1 ? 0 : 1;
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
static double now(void) { return seconds_of(CLOCK_MONOTONIC); }

extern char **environ;

static int start(const char *name, char *what, int times) {
  char *arguments[] = {"process", what, NULL};
  printf("{\"case\":\"%s\",\"ok\":true,\"unit\":\"ns\",\"samples\":[", name);
  for (int i = 0; i < times; i++) {
    pid_t child;
    int status;
    double t = now();
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) != 0) return 1;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
    printf("%s%.0f", i ? "," : "", 1e9 * (now() - t));
  }
  puts("]}");
  return 0;
}

static int idle(double seconds) {
  if (open_region() != 0) return 1;
  struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  double before = cpu_seconds();
  nanosleep(&pause, NULL);
  printf("{\"case\":\"idle\",\"ok\":true,\"unit\":\"ns\",\"samples\":[%.0f]}\n",
         1e9 * (cpu_seconds() - before));
  return 0;
}

static int serial(double seconds) {
  double others = cpu_seconds() - seconds_of(CLOCK_THREAD_CPUTIME_ID), begin = now();
  if (open_region() != 0) return 1;
  while (now() - begin < seconds) {
  }
  others = cpu_seconds() - seconds_of(CLOCK_THREAD_CPUTIME_ID) - others;
  printf("{\"case\":\"serial\",\"ok\":true,\"unit\":\"ns\",\"samples\":[%.0f]}\n", 1e9 * others);
  return 0;
}

enum { kMembers = 256 };

static double resident_bytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  fclose(file);
  return (double)(pages * sysconf(_SC_PAGESIZE));
}

// The first region makes what the runtime itself needs.
static int make_members(const char *name, const char *unit, double (*look)(void), double scale) {
  int members = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
  double before = look();
#pragma omp parallel num_threads(kMembers) reduction(+ : members)
  members += 1;
  double used = look() - before;
  if (members != kMembers) return 1;
  printf("{\"case\":\"%s\",\"ok\":true,\"unit\":\"%s\",\"samples\":[%.0f]}\n", name, unit,
         scale * used / (kMembers - 2));
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--region") == 0) return open_region();
  if (argc == 2 && strcmp(argv[1], "--nothing") == 0) return 0;
  if (argc == 3 && strcmp(argv[1], "--startup") == 0) return start("startup", "--region", atoi(argv[2]));
  if (argc == 3 && strcmp(argv[1], "--loading") == 0) return start("loading", "--nothing", atoi(argv[2]));
  if (argc == 3 && strcmp(argv[1], "--serial") == 0) return serial(atof(argv[2]));
  if (argc == 3 && strcmp(argv[1], "--idle") == 0) return idle(atof(argv[2]));
  if (argc == 2 && strcmp(argv[1], "--creation") == 0) return make_members("member_creation", "ns", now, 1e9);
  if (argc == 2 && strcmp(argv[1], "--memory") == 0) return make_members("member_memory", "B", resident_bytes, 1);
  fputs("usage: process --startup N | --loading N | --idle SECONDS | --serial SECONDS | --creation | --memory\n",
        stderr);
  return 2;
}
