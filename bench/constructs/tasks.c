// SPDX-License-Identifier: Apache-2.0
// The cost of a task: LINEAR and RECURSIVE with empty tasks (P-SOCRATES, chapter 6, Figures 6.6 to
// 6.9), fib with a task per call, a wavefront with two predecessors per task, taskloop: a repetition is one region
// with one producer, the time is per task. And waits for tasks: a repetition is one wait of each member.
#include <omp.h>

#include "tables.h"

enum { LINEAR = 4096, DEPTH = 12, FIB = 25, SIDE = 64, SIBLINGS = 64 };
enum { TREE_TASKS = (2 << DEPTH) - 2, FIB_VALUE = 75025, FIB_TASKS = 242784 };

static double linear(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < LINEAR; i++) {
#pragma omp task
      counters[omp_get_thread_num()].n++;
    }
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * LINEAR);
}

// Leaves of a binary tree: two tasks per inner node.
static int tree_tied(int depth) {
  if (depth == 0) return 1;
  int left, right;
#pragma omp task shared(left) firstprivate(depth)
  left = tree_tied(depth - 1);
#pragma omp task shared(right) firstprivate(depth)
  right = tree_tied(depth - 1);
#pragma omp taskwait
  return left + right;
}

static int tree_untied(int depth) {
  if (depth == 0) return 1;
  int left, right;
#pragma omp task untied shared(left) firstprivate(depth)
  left = tree_untied(depth - 1);
#pragma omp task untied shared(right) firstprivate(depth)
  right = tree_untied(depth - 1);
#pragma omp taskwait
  return left + right;
}

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static double recursion(long inner, int (*root)(int), int argument, int expected) {
  bool correct = true;
  double t = now();
  for (long r = 0; r < inner; r++) {
    int result = 0;
#pragma omp parallel shared(result)
#pragma omp single
    result = root(argument);
    correct = correct && result == expected;
  }
  return checked(now() - t, correct);
}

static double recursive_tied(long inner) { return recursion(inner, tree_tied, DEPTH, 1 << DEPTH); }
static double recursive_untied(long inner) {
  return recursion(inner, tree_untied, DEPTH, 1 << DEPTH);
}
static double fib_tasks(long inner) { return recursion(inner, fib, FIB, FIB_VALUE); }

static uint64_t grid[SIDE + 1][SIDE + 1];

static uint64_t wavefront_expected(void) {
  static uint64_t a[SIDE + 1][SIDE + 1];
  for (int i = 0; i <= SIDE; i++) a[i][0] = a[0][i] = 1;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) a[i][j] = 3 * a[i - 1][j] + a[i][j - 1];
  return a[SIDE][SIDE];
}

static double wavefront(long inner) {
  uint64_t expected = wavefront_expected();
  bool correct = true;
  double t = now();
  for (long r = 0; r < inner; r++) {
    for (int i = 0; i <= SIDE; i++) grid[i][0] = grid[0][i] = 1;
    grid[SIDE][SIDE] = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= SIDE; i++)
      for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
        grid[i][j] = 3 * grid[i - 1][j] + grid[i][j - 1];
      }
    correct = correct && grid[SIDE][SIDE] == expected;
  }
  return checked(now() - t, correct);
}

static double taskloop(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < LINEAR; i++) counters[omp_get_thread_num()].n++;
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * LINEAR);
}

// A barrier that waits for a task of each member (EPCC's BARRIER TASK).
static double task_barrier(long inner) {
  clear_counters();
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp task
    counters[omp_get_thread_num()].n++;
#pragma omp barrier
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

// A taskwait of each member for a task of its own.
static double task_wait(long inner) {
  clear_counters();
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp task
    counters[omp_get_thread_num()].n++;
#pragma omp taskwait
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

// Tasks that have siblings in the queues, each with a taskwait for a task of its own; the time is that of a pair.
static double task_wait_siblings(long inner) {
  clear_counters();
  double t = now();
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < inner; r++) {
    for (int i = 0; i < SIBLINGS; i++) {
#pragma omp task
      {
#pragma omp task
        counters[omp_get_thread_num()].n++;
#pragma omp taskwait
      }
    }
#pragma omp taskwait
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * SIBLINGS);
}

const Case task_cases[] = {
    {.name = "task_linear", .run = linear, .ops = LINEAR},
    {.name = "task_recursive_tied", .run = recursive_tied, .ops = TREE_TASKS},
    {.name = "task_recursive_untied", .run = recursive_untied, .ops = TREE_TASKS},
    {.name = "task_fib", .run = fib_tasks, .ops = FIB_TASKS},
    {.name = "task_wavefront", .run = wavefront, .ops = SIDE * SIDE},
    {.name = "taskloop", .run = taskloop, .ops = LINEAR},
    {.name = "task_barrier", .run = task_barrier, .ops = 1},
    {.name = "task_wait", .run = task_wait, .ops = 1},
    {.name = "task_wait_siblings", .run = task_wait_siblings, .ops = SIBLINGS},
    {0},
};
