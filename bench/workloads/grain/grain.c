// SPDX-License-Identifier: Apache-2.0
// What a task takes against how long its own work is, from none to a microsecond: where a second thread
// begins to help, and what it costs before that. A repetition is one region; the time is that of one task.
#include <stdlib.h>

#include "work.h"

enum { LINEAR = 2048, DEPTH = 10, FIB = 16, SIDE = 48, GRAPH = 32, GRAPHS = 4 };
enum { TREE_TASKS = (2 << DEPTH) - 2, FIB_TASKS = 3192 };

typedef enum Shape {
  LINEAR_TIED, LINEAR_UNTIED, TREE_TIED, TREE_UNTIED, FIB_TIED, WAVEFRONT, GRAPH_AGAIN, TASKLOOP, SHAPES
} Shape;

static long steps;  // of one task; W: before a repetition
static char cells[SIDE + 1][SIDE + 1];  // only their addresses matter

static void linear_tied(void) {
  for (int i = 0; i < LINEAR; i++) {
#pragma omp task
    task_body(steps);
  }
}

static void linear_untied(void) {
  for (int i = 0; i < LINEAR; i++) {
#pragma omp task untied
    task_body(steps);
  }
}

static void tree_tied(int depth) {
  for (int child = 0; depth > 0 && child < 2; child++) {
#pragma omp task firstprivate(depth)
    {
      task_body(steps);
      tree_tied(depth - 1);
    }
  }
#pragma omp taskwait
}

static void tree_untied(int depth) {
  for (int child = 0; depth > 0 && child < 2; child++) {
#pragma omp task untied firstprivate(depth)
    {
      task_body(steps);
      tree_untied(depth - 1);
    }
  }
#pragma omp taskwait
}

static void fib(int n) {
  if (n < 2) return;
  for (int child = 1; child <= 2; child++) {
#pragma omp task firstprivate(n)
    {
      task_body(steps);
      fib(n - child);
    }
  }
#pragma omp taskwait
}

// A square of tasks, each after its neighbours above and to the left.
static void wavefront(int side) {
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) {
#pragma omp task depend(in : cells[i - 1][j], cells[i][j - 1]) depend(out : cells[i][j])
      task_body(steps);
    }
}

static void graph_again(void) {
  for (int i = 0; i < GRAPHS; i++) {
    wavefront(GRAPH);
#pragma omp taskwait
  }
}

static void taskloop(void) {
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < LINEAR; i++) task_body(steps);
}

static void root(Shape shape) {
  switch (shape) {
    case LINEAR_TIED: linear_tied(); break;
    case LINEAR_UNTIED: linear_untied(); break;
    case TREE_TIED: tree_tied(DEPTH); break;
    case TREE_UNTIED: tree_untied(DEPTH); break;
    case FIB_TIED: fib(FIB); break;
    case WAVEFRONT: wavefront(SIDE); break;
    case GRAPH_AGAIN: graph_again(); break;
    default: taskloop();
  }
}

static void repetition(const Case *c) {
  clear_counters();
#pragma omp parallel
#pragma omp single
  root((Shape)c->variant);
}

static bool check(const Case *c) { return sum_counters() == c->ops; }

static void setup(const Case *c) {
  calibrate();
  steps = (long)((double)c->size * steps_per_ns);
  note("task_ns", (double)c->size);
}

#define SIZED(text, ns, shape, tasks)                                             \
  {.name = "grain_" text "_" #ns "ns", .setup = setup, .work = repetition,       \
   .check = check, .size = ns, .variant = shape, .ops = tasks}
#define SIZES(text, shape, tasks)                                                 \
  SIZED(text, 0, shape, tasks), SIZED(text, 20, shape, tasks),                    \
      SIZED(text, 50, shape, tasks), SIZED(text, 100, shape, tasks),              \
      SIZED(text, 200, shape, tasks), SIZED(text, 400, shape, tasks),             \
      SIZED(text, 1000, shape, tasks)

static const Case cases[] = {
    SIZES("linear_tied", LINEAR_TIED, LINEAR),
    SIZES("linear_untied", LINEAR_UNTIED, LINEAR),
    SIZES("recursive_tied", TREE_TIED, TREE_TASKS),
    SIZES("recursive_untied", TREE_UNTIED, TREE_TASKS),
    SIZES("fib", FIB_TIED, FIB_TASKS),
    SIZES("wavefront", WAVEFRONT, SIDE *SIDE),
    SIZES("graph", GRAPH_AGAIN, GRAPHS *GRAPH *GRAPH),
    SIZES("taskloop", TASKLOOP, LINEAR),
    {0},
};
const Case *const case_tables[] = {cases, 0};
