// SPDX-License-Identifier: Apache-2.0
// Blocked Cholesky factorisation with task dependences (P-SOCRATES, Figures 6.13a and 6.14a): the same
// matrix in more and smaller tiles, n(n+1)(n+2)/6 tasks for n tiles an edge. The note `growth_kib` is
// the memory that the process needed beside the matrix.
// `_closed`: the graph is recorded and replayed; `_built`: built by hand; `_tasks`: without dependences, with a
// taskwait after each step; `_loops`: worksharing loops.
#include <stdlib.h>
#include <string.h>

#include "tulle/graph.h"
#include "tulle/task_graph.h"
#include "measure.h"

enum { ORDER = 384, MOST_TILES = 32 };
enum { DYNAMIC, CLOSED, BUILT, TASKS, LOOPS };

static double *tiles, *original, *expected;  // tile (i, j) is contiguous
static int edge, tile_order;

static double *tile(double *base, int i, int j) {
  return base + (size_t)(i * edge + j) * (size_t)(tile_order * tile_order);
}

static void factor(double *a) {
  int n = tile_order;
  for (int k = 0; k < n; k++) {
    a[k * n + k] = sqrt(a[k * n + k]);
    for (int i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
    for (int j = k + 1; j < n; j++)
      for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
  }
}

static void solve(const double *l, double *b) {
  int n = tile_order;
  for (int r = 0; r < n; r++)
    for (int k = 0; k < n; k++) {
      double x = b[r * n + k];
      for (int j = 0; j < k; j++) x -= b[r * n + j] * l[k * n + j];
      b[r * n + k] = x / l[k * n + k];
    }
}

static void update(const double *a, const double *b, double *c) {
  int n = tile_order;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = 0.0;
      for (int k = 0; k < n; k++) x += a[i * n + k] * b[j * n + k];
      c[i * n + j] -= x;
    }
}

// One producer; the tiles' first elements stand for the tiles in the dependences.
static void create(double *m) {
  for (int k = 0; k < edge; k++) {
    double *diagonal = tile(m, k, k);
#pragma omp task depend(inout : diagonal[0])
    factor(diagonal);
    for (int i = k + 1; i < edge; i++) {
      double *below = tile(m, i, k);
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0])
      solve(diagonal, below);
    }
    for (int i = k + 1; i < edge; i++)
      for (int j = k + 1; j <= i; j++) {
        double *left = tile(m, i, k), *right = tile(m, j, k), *target = tile(m, i, j);
#pragma omp task depend(in : left[0], right[0]) depend(inout : target[0])
        update(left, right, target);
      }
  }
}

static void factorise(double *m) {
  create(m);
#pragma omp taskwait
}

static void factorise_closed(double *m) {
  if (tulle_graph_begin(edge)) create(m);
  tulle_graph_end();
}

static void factorise_by_tasks(double *m) {
  for (int k = 0; k < edge; k++) {
    double *diagonal = tile(m, k, k);
    factor(diagonal);
    for (int i = k + 1; i < edge; i++) {
#pragma omp task
      solve(diagonal, tile(m, i, k));
    }
#pragma omp taskwait
    for (int i = k + 1; i < edge; i++)
      for (int j = k + 1; j <= i; j++) {
#pragma omp task
        update(tile(m, i, k), tile(m, j, k), tile(m, i, j));
      }
#pragma omp taskwait
  }
}

// By the whole team.
static void factorise_by_loops(double *m) {
  for (int k = 0; k < edge; k++) {
#pragma omp single
    factor(tile(m, k, k));
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < edge; i++) solve(tile(m, k, k), tile(m, i, k));
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < edge; i++)
      for (int j = k + 1; j <= i; j++) update(tile(m, i, k), tile(m, j, k), tile(m, i, j));
  }
}

// --- the graph by hand ---

typedef struct Operands {
  double *a, *b, *c;
} Operands;

static void factor_task(void *data) { factor(((Operands *)data)->a); }
static void solve_task(void *data) { solve(((Operands *)data)->a, ((Operands *)data)->b); }
static void update_task(void *data) {
  Operands *on = data;
  update(on->a, on->b, on->c);
}

static struct tulle_task_graph *built;
static uint64_t writer[MOST_TILES][MOST_TILES];  // of each tile, so far

static void follow(uint64_t before, uint64_t after) {
  if (before != TULLE_NO_TASK) tulle_task_graph_add_edge(built, before, after);
}

static void build_update(double *m, int k, int i, int j) {
  Operands on = {tile(m, i, k), tile(m, j, k), tile(m, i, j)};
  uint64_t task = tulle_task_graph_add(built, 0, NULL, 0, update_task, &on, sizeof on);
  follow(writer[i][k], task);
  follow(writer[j][k], task);
  follow(writer[i][j], task);
  writer[i][j] = task;
}

static void build_column(double *m, int k) {
  Operands on = {tile(m, k, k), NULL, NULL};
  uint64_t task = tulle_task_graph_add(built, 0, NULL, 0, factor_task, &on, sizeof on.a);
  follow(writer[k][k], task);
  writer[k][k] = task;
  for (int i = k + 1; i < edge; i++) {
    on.b = tile(m, i, k);
    task = tulle_task_graph_add(built, 0, NULL, 0, solve_task, &on, 2 * sizeof on.a);
    follow(writer[k][k], task);
    follow(writer[i][k], task);
    writer[i][k] = task;
  }
}

static void build(double *m) {
  built = tulle_task_graph_create(0, 0);
  if (!built) return;
  memset(writer, 0xff, sizeof writer);
  for (int k = 0; k < edge; k++) {
    build_column(m, k);
    for (int i = k + 1; i < edge; i++)
      for (int j = k + 1; j <= i; j++) build_update(m, k, i, j);
  }
}

static void factorise_built(double *m) {
  if (!built) build(m);
  if (tulle_task_graph_run(built) != 0) factorise(m);  // another runtime
}

static double entry(int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  return (i == j ? ORDER : 0.0) + 1.0 / (1.0 + (double)(high - low)) + (double)((low * 31 + high) % 5);
}

static double *new_matrix(void) {
  double *m = malloc(sizeof(double) * ORDER * ORDER);
  if (!m) abort();
  return m;
}

static void setup(const Case *c) {
  edge = (int)c->size;
  tile_order = ORDER / edge;
  tiles = new_matrix(), original = new_matrix(), expected = new_matrix();
  for (int i = 0; i < ORDER; i++)
    for (int j = 0; j < ORDER; j++)
      tile(original, i / tile_order, j / tile_order)[i % tile_order * tile_order + j % tile_order] =
          entry(i, j);
  memcpy(tiles, original, sizeof(double) * ORDER * ORDER);
  memcpy(expected, original, sizeof(double) * ORDER * ORDER);
  factorise(expected);  // outside a region: each task runs at once, in order
  note("tasks", edge * (edge + 1) * (edge + 2) / 6.0);
}

static void by_producer(int variant) {
  switch (variant) {
    case CLOSED: factorise_closed(tiles); break;
    case BUILT: factorise_built(tiles); break;
    case TASKS: factorise_by_tasks(tiles); break;
    default: factorise(tiles);
  }
}

static void work(const Case *c) {
  memcpy(tiles, original, sizeof(double) * ORDER * ORDER);
#pragma omp parallel
  if (c->variant == LOOPS) {
    factorise_by_loops(tiles);
  } else {
#pragma omp single
    by_producer(c->variant);
  }
}

// The dependences order all updates of a tile: the result is that of the sequential run to the last
// bit. The product of the factor with itself gives the first row of tiles back.
static bool check(const Case *c) {
  (void)c;
  if (memcmp(tiles, expected, sizeof(double) * ORDER * ORDER) != 0) return false;
  const double *l = tile(tiles, 0, 0);
  return fabs(l[0] * l[0] - entry(0, 0)) < 1e-9 &&
         fabs(l[tile_order] * l[0] - entry(1, 0)) < 1e-9;
}

#define CHOLESKY_AS(tasks, edge, suffix, kind)                                                \
  {.name = "cholesky_" #tasks suffix, .setup = setup, .work = work, .check = check, .size = edge, .variant = kind}
#define CHOLESKY(tasks, edge)                                                                 \
  CHOLESKY_AS(tasks, edge, "", DYNAMIC), CHOLESKY_AS(tasks, edge, "_closed", CLOSED),           \
      CHOLESKY_AS(tasks, edge, "_built", BUILT), CHOLESKY_AS(tasks, edge, "_tasks", TASKS),     \
      CHOLESKY_AS(tasks, edge, "_loops", LOOPS)

static const Case cases[] = {
    CHOLESKY(4, 2), CHOLESKY(20, 4), CHOLESKY(120, 8), CHOLESKY(816, 16), CHOLESKY(5984, 32), {0},
};
const Case *const case_tables[] = {cases, 0};
