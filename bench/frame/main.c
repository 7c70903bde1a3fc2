// SPDX-License-Identifier: Apache-2.0
// The main program of every benchmark: `--case NAME [--threads N]` measures one case in this process
// and prints one JSON line; `--list` prints the names. Exit status 1: wrong result, 2: bad usage.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

static const Case *find(const char *name) {
  for (int t = 0; case_tables[t]; t++)
    for (const Case *c = case_tables[t]; c->name; c++)
      if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static int list(void) {
  for (int t = 0; case_tables[t]; t++)
    for (const Case *c = case_tables[t]; c->name; c++) puts(c->name);
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

static int usage(void) {
  fputs("usage: PROGRAM --list | --case NAME [--threads N] [--samples N] [--target-ms T] [--budget-s T]\n"
        "       PROGRAM --case NAME [--threads N] --repetitions N: so many, once\n",
        stderr);
  return 2;
}

int main(int argc, char **argv) {
  Plan plan = {.threads = 2, .samples = 5, .target_s = 0.02, .budget_s = 2.0};
  const char *name = NULL;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *option = argv[i], *value = argv[i + 1];
    if (strcmp(option, "--case") == 0) name = value;
    else if (strcmp(option, "--threads") == 0) plan.threads = atoi(value);
    else if (strcmp(option, "--samples") == 0) plan.samples = atoi(value);
    else if (strcmp(option, "--target-ms") == 0) plan.target_s = 1e-3 * atof(value);
    else if (strcmp(option, "--budget-s") == 0) plan.budget_s = atof(value);
    else if (strcmp(option, "--repetitions") == 0) plan.repetitions = atol(value);
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
