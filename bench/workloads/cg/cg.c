// SPDX-License-Identifier: Apache-2.0
// Conjugate gradient with tasks: one thread makes a task for every `size` rows of the sparse product,
// the others run them (GLTO, Figures 10 to 13); and 4,000 tasks from one producer that stops
// queueing at `size` unfinished ones (Figure 14).
// The notes give the share of tasks that were queued rather than called at once (Table III).
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { ROWS = 14878, BAND = 35, ITERATIONS = 4, TASKS = 4000, SPIN = 200 };

typedef struct System {
  int first[ROWS + 1];
  int *column;
  double *value;
  double b[ROWS], x[ROWS], r[ROWS], p[ROWS], q[ROWS];
} System;

static System *s;
static double expected[ROWS];
static atomic_int called_at_once;
static int creating;  // the producer's own: it is in the middle of making a task

// A symmetric band with holes, made diagonally dominant: positive definite.
static void fill_matrix(void) {
  int n = 0;
  for (int i = 0; i < ROWS; i++) {
    s->first[i] = n;
    for (int j = i - BAND; j <= i + BAND; j++) {
      unsigned low = (unsigned)(i < j ? i : j), high = (unsigned)(i < j ? j : i);
      bool kept = i == j || (low * 2654435761u + high * 40503u) % 100 < 95;
      if (j < 0 || j >= ROWS || !kept) continue;
      s->column[n] = j;
      s->value[n++] = i == j ? 2.5 * BAND : -1.0 / (1.0 + (double)(high - low));
    }
    s->b[i] = 1.0 + (double)(i % 7);
  }
  s->first[ROWS] = n;
}

static void multiply_rows(int from, int to) {
  for (int i = from; i < to; i++) {
    double sum = 0.0;
    for (int k = s->first[i]; k < s->first[i + 1]; k++) sum += s->value[k] * s->p[s->column[k]];
    s->q[i] = sum;
  }
}

static double dot(const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < ROWS; i++) sum += a[i] * b[i];
  return sum;
}

static void multiply(int rows_per_task) {
  for (int from = 0; from < ROWS; from += rows_per_task) {
    int to = from + rows_per_task < ROWS ? from + rows_per_task : ROWS;
    creating = 1;
#pragma omp task firstprivate(from, to)
    {
      if (omp_get_thread_num() == 0 && creating) atomic_fetch_add(&called_at_once, 1);
      multiply_rows(from, to);
    }
    creating = 0;
  }
#pragma omp taskwait
}

static void solve(int rows_per_task) {
  memset(s->x, 0, sizeof s->x);
  memcpy(s->r, s->b, sizeof s->r);
  memcpy(s->p, s->b, sizeof s->p);
  double rho = dot(s->r, s->r);
  for (int it = 0; it < ITERATIONS; it++) {
    if (rows_per_task) multiply(rows_per_task);
    else multiply_rows(0, ROWS);
    double alpha = rho / dot(s->p, s->q);
    for (int i = 0; i < ROWS; i++) {
      s->x[i] += alpha * s->p[i];
      s->r[i] -= alpha * s->q[i];
    }
    double next = dot(s->r, s->r), beta = next / rho;
    rho = next;
    for (int i = 0; i < ROWS; i++) s->p[i] = s->r[i] + beta * s->p[i];
  }
}

static void setup_cg(const Case *c) {
  (void)c;
  s = calloc(1, sizeof *s);
  if (!s) abort();
  s->column = malloc((size_t)ROWS * (2 * BAND + 1) * sizeof *s->column);
  s->value = malloc((size_t)ROWS * (2 * BAND + 1) * sizeof *s->value);
  if (!s->column || !s->value) abort();
  fill_matrix();
  solve(0);
  memcpy(expected, s->x, sizeof expected);
}

static void note_queued(long tasks) {
  note("queued_share", 1.0 - (double)atomic_load(&called_at_once) / (double)tasks);
}

static void conjugate_gradient(const Case *c) {
  atomic_store(&called_at_once, 0);
#pragma omp parallel
#pragma omp master
  solve((int)c->size);
  note_queued(ITERATIONS * ((ROWS + c->size - 1) / c->size));
}

// Rows are summed in the same order whoever does it: the result is the same to the last bit.
static bool check_cg(const Case *c) {
  (void)c;
  return memcmp(expected, s->x, sizeof expected) == 0;
}

static atomic_int unfinished;
static int64_t sum_of_ends;

static void small_work(void) {
  int64_t n = SPIN;
  while (n > 0) {
    KEEP(n);
    n--;
  }
  counters[omp_get_thread_num()].n += 1 + n;
}

static void cut_off(const Case *c) {
  int limit = (int)c->size;
  clear_counters();
  atomic_store(&called_at_once, 0);
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < TASKS; i++) {
    int queued = atomic_load(&unfinished) < limit;
    if (queued) atomic_fetch_add(&unfinished, 1);
    else atomic_fetch_add(&called_at_once, 1);
#pragma omp task if (queued) firstprivate(queued)
    {
      small_work();
      if (queued) atomic_fetch_sub(&unfinished, 1);
    }
  }
  note_queued(TASKS);
  sum_of_ends = sum_counters();
}

static bool check_cut_off(const Case *c) {
  (void)c;
  return sum_of_ends == TASKS && atomic_load(&unfinished) == 0;
}

#define CG(rows) \
  {.name = "cg_" #rows, .setup = setup_cg, .work = conjugate_gradient, .check = check_cg, .size = rows}
#define CUT_OFF(limit) \
  {.name = "cutoff_" #limit, .work = cut_off, .check = check_cut_off, .size = limit, .ops = TASKS}

static const Case cases[] = {
    CG(10), CG(20), CG(50), CG(100), CUT_OFF(16), CUT_OFF(256), CUT_OFF(4096), {0},
};
const Case *const case_tables[] = {cases, 0};
