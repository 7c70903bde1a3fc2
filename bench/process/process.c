// SPDX-License-Identifier: Apache-2.0
// What a process pays for its runtime: `--startup` opens one region and ends, the driver takes the
// time; `--idle SECONDS` prints, as a JSON line, the CPU time burnt while it sits outside regions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int open_region(void) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members += 1;
  return members >= 1 ? 0 : 1;
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--startup") == 0) return open_region();
  if (argc == 3 && strcmp(argv[1], "--idle") == 0) return idle(atof(argv[2]));
  fputs("usage: process --startup | --idle SECONDS\n", stderr);
  return 2;
}
