// SPDX-License-Identifier: Apache-2.0
// Memory of a task: how much the process grows, for each one, while many tasks are alive. Waiting tasks
// all depend on one that has not ended; suspended ones stand in a chain of parents, each at its taskwait.
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

static atomic_long ended;
static double held_kib;

static double resident_kib(void) {
  FILE *statm = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (statm) {
    if (fscanf(statm, "%*d %ld", &pages) != 1) pages = 0;
    fclose(statm);
  }
  return 4.0 * (double)pages;
}

// The gate is a task that another thread runs: it does not end before all the others are made.
static void live_tasks(long n) {
  char gate = 0;
  atomic_int all_made = 0;
  double before = resident_kib();
#pragma omp task shared(gate, all_made) depend(out : gate)
  {
    while (!atomic_load(&all_made)) sched_yield();
    gate = 1;
  }
  for (long i = 0; i < n; i++) {
#pragma omp task shared(gate) depend(in : gate)
    atomic_fetch_add(&ended, gate);
  }
  held_kib = resident_kib() - before;
  atomic_store(&all_made, 1);
#pragma omp taskwait
}

static void chain(long left, double before) {
  if (left == 0) {
    held_kib = resident_kib() - before;
    return;
  }
#pragma omp task untied
  chain(left - 1, before);
#pragma omp taskwait
  atomic_fetch_add(&ended, 1);
}

static double bytes_per_task(const Case *c) {
  atomic_store(&ended, 0);
  held_kib = 0.0;
  malloc_trim(0);
#pragma omp parallel
#pragma omp single
  {
    if (c->variant) chain(c->size, resident_kib());
    else live_tasks(c->size);
  }
  return checked(1024.0 * held_kib / (double)c->size, atomic_load(&ended) == c->size);
}

static const Case cases[] = {
    {.name = "memory_live_task", .first_value = bytes_per_task, .size = 100000, .unit = "B"},
    {.name = "memory_suspended_task", .first_value = bytes_per_task, .size = 2000, .variant = 1,
     .unit = "B"},
    {0},
};
const Case *const case_tables[] = {cases, 0};
