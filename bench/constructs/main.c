// SPDX-License-Identifier: Apache-2.0
// Construct benchmarks of OpenMP runtimes: `constructs --case NAME [--threads N]` measures one case
// in this process and prints one JSON line; `--list` prints the names; `--startup` opens one region
// and ends (the driver takes the time of the process); `--idle S` prints the CPU time that a process
// burns while it sits S seconds outside regions. Exit status 1: wrong result, 2: bad usage.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"

static const Case *const tables[] = {flat_cases, loop_cases, task_cases, nested_cases};
enum { TABLES = sizeof tables / sizeof *tables };

static const Case *find(const char *name) {
  for (int t = 0; t < TABLES; t++)
    for (const Case *c = tables[t]; c->name; c++)
      if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static int list(void) {
  for (int t = 0; t < TABLES; t++)
    for (const Case *c = tables[t]; c->name; c++) puts(c->name);
  return 0;
}

// A team smaller than the one asked for would make a case look cheap.
static bool opens_full_team(void) {
  int members = 0;
#pragma omp parallel
#pragma omp single
  members = omp_get_num_threads();
  return members == team_size;
}

static int startup(void) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members += 1;
  return members >= 1 ? 0 : 1;
}

static int idle(double seconds) {
  if (startup() != 0) return 1;
  struct timespec before, after;
  struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  nanosleep(&pause, NULL);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  double cpu = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
  printf("{\"case\":\"idle\",\"ok\":true,\"unit\":\"ns\",\"samples\":[%.0f]}\n", 1e9 * cpu);
  return 0;
}

static int usage(void) {
  fputs("usage: constructs --list | --startup | --idle SECONDS |\n"
        "       --case NAME [--threads N] [--samples N] [--target-ms T] [--budget-s T]\n",
        stderr);
  return 2;
}

int main(int argc, char **argv) {
  Plan plan = {.threads = 2, .samples = 5, .target_s = 0.02, .budget_s = 2.0};
  const char *name = NULL;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
  if (argc == 2 && strcmp(argv[1], "--startup") == 0) return startup();
  if (argc == 3 && strcmp(argv[1], "--idle") == 0) return idle(atof(argv[2]));
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *option = argv[i], *value = argv[i + 1];
    if (strcmp(option, "--case") == 0) name = value;
    else if (strcmp(option, "--threads") == 0) plan.threads = atoi(value);
    else if (strcmp(option, "--samples") == 0) plan.samples = atoi(value);
    else if (strcmp(option, "--target-ms") == 0) plan.target_s = 1e-3 * atof(value);
    else if (strcmp(option, "--budget-s") == 0) plan.budget_s = atof(value);
    else return usage();
  }
  const Case *c = name ? find(name) : NULL;
  if (!c || plan.threads < 1 || plan.threads > MAX_THREADS || plan.samples < 1) return usage();
  team_size = plan.threads;
  omp_set_num_threads(plan.threads);
  omp_set_max_active_levels(c->nested ? 16 : 1);
  if (!opens_full_team()) {
    fprintf(stderr, "constructs: a region did not get its %d threads\n", plan.threads);
    return 1;
  }
  return measure(c, &plan) ? 0 : 1;
}
