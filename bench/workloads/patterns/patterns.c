// SPDX-License-Identifier: Apache-2.0
// LINEAR, RECURSIVE and MIXED of P-SOCRATES (chapter 6, Figures 6.6 to 6.11) over task sizes, tied and
// untied; and METG, the smallest task at which a pattern still reaches half of the ideal speed.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>

#include "work.h"

enum { LINEAR_TASKS = 512, TREE_DEPTH = 8, MANY_TASKS = 2048, MANY_DEPTH = 10 };
enum { MIXED_CHAINS = 7, MIXED_TREES = 2, MIXED_DEPTH = 5, LONG_CHILD = 16 };

typedef enum Pattern { LINEAR_P, RECURSIVE_P, MIXED_P } Pattern;
enum { UNTIED = 8, MANY = 16 };  // beside the pattern, in Case::variant

static long steps;  // of one task; W: before a repetition

static void linear(int tasks, bool untied) {
  for (int i = 0; i < tasks; i++) {
    if (untied) {
#pragma omp task untied
      task_body(steps);
    } else {
#pragma omp task
      task_body(steps);
    }
  }
}

static void tree_tied(int depth) {
  task_body(steps);
  if (depth == 0) return;
#pragma omp task
  tree_tied(depth - 1);
#pragma omp task
  tree_tied(depth - 1);
#pragma omp taskwait
}

static void tree_untied(int depth) {
  task_body(steps);
  if (depth == 0) return;
#pragma omp task untied
  tree_untied(depth - 1);
#pragma omp task untied
  tree_untied(depth - 1);
#pragma omp taskwait
}

static void waiting_parent(void) {
  task_body(steps);
#pragma omp task
  task_body(LONG_CHILD * steps);
#pragma omp taskwait
}

static void waiting_parent_untied(void) {
  task_body(steps);
#pragma omp task untied
  task_body(LONG_CHILD * steps);
#pragma omp taskwait
}

static void mixed(bool untied) {
  for (int i = 0; i < MIXED_CHAINS; i++) {
    if (untied) {
#pragma omp task untied
      waiting_parent_untied();
    } else {
#pragma omp task
      waiting_parent();
    }
  }
  for (int i = 0; i < MIXED_TREES; i++) {
    if (untied) {
#pragma omp task untied
      tree_untied(MIXED_DEPTH);
    } else {
#pragma omp task
      tree_tied(MIXED_DEPTH);
    }
  }
}

// Bodies that one repetition runs, and its work in units of one task.
static int64_t bodies_of(int variant) {
  switch (variant & 7) {
    case LINEAR_P: return variant & MANY ? MANY_TASKS : LINEAR_TASKS;
    case RECURSIVE_P: return (2 << (variant & MANY ? MANY_DEPTH : TREE_DEPTH)) - 1;
    default: return 2 * MIXED_CHAINS + MIXED_TREES * ((2 << MIXED_DEPTH) - 1);
  }
}

static int64_t units_of(int variant) {
  return bodies_of(variant) + ((variant & 7) == MIXED_P ? MIXED_CHAINS * (LONG_CHILD - 1) : 0);
}

static void root(int variant) {
  bool untied = variant & UNTIED;
  switch (variant & 7) {
    case LINEAR_P: linear((int)bodies_of(variant), untied); break;
    case RECURSIVE_P:
      if (untied) tree_untied(variant & MANY ? MANY_DEPTH : TREE_DEPTH);
      else tree_tied(variant & MANY ? MANY_DEPTH : TREE_DEPTH);
      break;
    default: mixed(untied);
  }
}

static void repetition(const Case *c) {
  clear_counters();
#pragma omp parallel
#pragma omp single
  root(c->variant);
}

static bool check(const Case *c) { return sum_counters() == bodies_of(c->variant); }

static void setup(const Case *c) {
  calibrate();
  steps = (long)((double)c->size * steps_per_ns) + 1;
  note("task_ns", (double)c->size);
  note("tasks", (double)bodies_of(c->variant));
}

// The size that tasks of about `task_ns` get: whole steps.
static double size_ns(double task_ns) {
  steps = (long)(task_ns * steps_per_ns) + 1;
  return (double)steps / steps_per_ns;
}

// Share of the ideal speed with tasks of this size: the work over the cores that could have done it.
static double efficiency(const Case *c, double task_ns, int cores) {
  double fastest = INFINITY, begin = now();
  do {
    double t = now();
    repetition(c);
    t = now() - t;
    if (!check(c)) return WRONG;
    if (t < fastest) fastest = t;
  } while (now() - begin < 0.01);
  return 1e-9 * task_ns * (double)units_of(c->variant) / cores / fastest;
}

static double metg(const Case *c) {
  cpu_set_t usable;
  int cores = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  if (team_size < cores) cores = team_size;
  if (steps_per_ns == 0.0) calibrate();
  double below_ns = 0.0, below = 0.0;
  for (double wanted = 8.0; wanted < 4e7; wanted *= 1.5) {
    double ns = size_ns(wanted), reached = efficiency(c, ns, cores);
    if (isnan(reached)) return WRONG;
    if (reached >= 0.5)
      return below_ns == 0.0 ? ns : below_ns + (ns - below_ns) * (0.5 - below) / (reached - below);
    below_ns = ns;
    below = reached;
  }
  return 4e7;
}

#define SIZED(text, ns, kind)                                                       \
  {.name = text "_" #ns "ns", .setup = setup, .work = repetition, .check = check, \
   .size = ns, .variant = kind}
#define SIZES(text, kind) \
  SIZED(text, 250, kind), SIZED(text, 1000, kind), SIZED(text, 4000, kind), SIZED(text, 16000, kind)
#define METG(text, kind) {.name = "metg_" text, .value = metg, .variant = kind}

static const Case cases[] = {
    SIZES("linear_tied", LINEAR_P),
    SIZES("linear_untied", LINEAR_P | UNTIED),
    SIZES("linear2048_tied", LINEAR_P | MANY),
    SIZES("recursive_tied", RECURSIVE_P),
    SIZES("recursive_untied", RECURSIVE_P | UNTIED),
    SIZES("recursive2048_untied", RECURSIVE_P | UNTIED | MANY),
    SIZES("mixed_tied", MIXED_P),
    SIZES("mixed_untied", MIXED_P | UNTIED),
    METG("linear_tied", LINEAR_P),
    METG("linear_untied", LINEAR_P | UNTIED),
    METG("recursive_tied", RECURSIVE_P),
    METG("recursive_untied", RECURSIVE_P | UNTIED),
    METG("mixed_tied", MIXED_P),
    METG("mixed_untied", MIXED_P | UNTIED),
    {0},
};
const Case *const case_tables[] = {cases, 0};
