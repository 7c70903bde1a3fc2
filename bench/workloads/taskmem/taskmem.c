// SPDX-License-Identifier: Apache-2.0
// Memory of a task: how much the process grows, for each one, while many tasks are alive. Waiting tasks
// all depend on one that has not ended; suspended ones stand in a chain of parents, each at its taskwait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <omp.h>
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

typedef void Fulfil(omp_event_handle_t);

// The gate is a task with an event, so that it ends when the producer says so and occupies nobody.
// libomp has the routine, but not under libgomp's names; hence the look-up.
static void live_tasks(long n) {
  Fulfil *fulfil;
  *(void **)&fulfil = dlsym(RTLD_DEFAULT, "omp_fulfill_event");
  if (!fulfil) exit(3);
  char gate = 0;
  omp_event_handle_t opening;
  double before = resident_kib();
#pragma omp task shared(gate) detach(opening) depend(out : gate)
  gate = 1;
  for (long i = 0; i < n; i++) {
#pragma omp task shared(gate) depend(in : gate)
    atomic_fetch_add(&ended, gate);
  }
  held_kib = resident_kib() - before;
  fulfil(opening);
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
