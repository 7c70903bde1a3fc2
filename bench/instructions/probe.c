// SPDX-License-Identifier: Apache-2.0
// Repeats one construct between two marks (SIGUSR1) for the instruction counter. The process binds
// itself to one core, so that the whole team is carried by the initial thread and the count is exact.
// Usage: probe CASE REPETITIONS.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tulle/graph.h"

enum { TEAM = 4, TRIP = 64, DEPTH = 6 };

static long total;
static char cells[TRIP + 1];

static void mark(void) { raise(SIGUSR1); }

static void region(long n, int threads) {
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) total++;
  }
}

static void region_one(long n) { region(n, 1); }
static void region_team(long n) { region(n, TEAM); }

static void region_nested(long n) {
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(TEAM)
    region(1, TEAM);
  }
}

static void barrier(long n) {
#pragma omp parallel num_threads(TEAM)
  for (long i = 0; i < n; i++) {
#pragma omp barrier
  }
  total = n;
}

static void loop_dynamic(long n) {
#pragma omp parallel num_threads(1)
  for (long i = 0; i < n; i++) {
#pragma omp for schedule(dynamic)
    for (int j = 0; j < TRIP; j++) cells[j]++;
  }
  total = n;
}

static void critical(long n) {
#pragma omp parallel num_threads(1)
  for (long i = 0; i < n; i++) {
#pragma omp critical
    total++;
  }
}

static void lock(long n) {
  omp_lock_t guard;
  omp_init_lock(&guard);
  for (long i = 0; i < n; i++) {
    omp_set_lock(&guard);
    total++;
    omp_unset_lock(&guard);
  }
  omp_destroy_lock(&guard);
}

static void task(long n) {
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  for (long i = 0; i < n; i++) {
#pragma omp task
    total++;
  }
}

static void task_alone(long n) {
#pragma omp parallel num_threads(1)
  for (long i = 0; i < n; i++) {
#pragma omp task
    total++;
  }
}

static void taskloop_alone(long n) {
#pragma omp parallel num_threads(1)
  for (long i = 0; i < n; i++) {
#pragma omp taskloop grainsize(1)
    for (int j = 0; j < TRIP; j++) cells[j]++;
  }
  total = n;
}

static long tree(int depth) {
  if (depth == 0) return 1;
  long left, right;
#pragma omp task shared(left)
  left = tree(depth - 1);
#pragma omp task shared(right)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

static void task_tree(long n) {
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  for (long i = 0; i < n; i++) total += tree(DEPTH) == 1 << DEPTH;
}

static void task_chain(long n) {
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  for (long i = 0; i < n; i++) {
    int at = (int)(i % TRIP);
#pragma omp task depend(in : cells[at]) depend(out : cells[at + 1])
    total++;
  }
}

// A graph region that is replayed.
static void graph_closed(long n) {
#pragma omp parallel num_threads(1)
  for (long i = 0; i < n; i++) {
    if (tulle_graph_begin(1)) {
      for (int j = 0; j < TRIP; j++) {
        char *cell = &cells[j];
#pragma omp task depend(inout : *cell)
        ++*cell;
      }
    }
    tulle_graph_end();
  }
}

// n tasks after one, and one after all of them.
static void depend_fan(long n) {
  char *gate = cells;
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  {
#pragma omp task depend(out : gate[0])
    total++;
    for (long i = 0; i < n; i++) {
#pragma omp task depend(in : gate[0])
      total++;
    }
#pragma omp task depend(out : gate[0])
    total++;
  }
}

// A square of n tasks, each after its neighbours above and to the left.
static void depend_wavefront(long n) {
  int side = 1;
  while ((long)(side + 1) * (side + 1) <= n) side++;
  char(*at)[side + 1] = calloc((size_t)side + 1, (size_t)side + 1);
  if (!at) exit(2);
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) {
#pragma omp task depend(in : at[i - 1][j], at[i][j - 1]) depend(out : at[i][j])
      total++;
    }
  free(at);
}

// Each task after the one before it.
static void depend_chain(long n) {
  char *link = cells;
#pragma omp parallel num_threads(TEAM)
#pragma omp master
  for (long i = 0; i < n; i++) {
#pragma omp task depend(inout : link[0])
    total++;
  }
}

typedef struct Probe {
  const char *name;
  void (*run)(long);
} Probe;

static const Probe probes[] = {
    {"region_one", region_one},     {"region_team", region_team}, {"region_nested", region_nested},
    {"barrier", barrier},           {"critical", critical},       {"lock", lock},
    {"loop_dynamic", loop_dynamic}, {"task", task},               {"task_tree", task_tree},
    {"task_chain", task_chain},     {"task_alone", task_alone},   {"taskloop_alone", taskloop_alone},
    {"graph_closed", graph_closed}, {"depend_fan", depend_fan},     {"depend_chain", depend_chain},
    {"depend_wavefront", depend_wavefront},
};

static void stay_on_one_core(void) {
  cpu_set_t usable, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) exit(2);
  int core = 0;
  while (!CPU_ISSET(core, &usable)) core++;
  CPU_SET(core, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) exit(2);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  stay_on_one_core();
  omp_set_max_active_levels(4);
  omp_set_dynamic(0);
  long n = atol(argv[2]);
  for (unsigned p = 0; p < sizeof probes / sizeof *probes; p++) {
    if (strcmp(probes[p].name, argv[1]) != 0) continue;
    probes[p].run(n);  // the first run makes the team and its caches
    total = 0;
    mark();
    probes[p].run(n);
    mark();
    return 0;
  }
  return 2;
}
