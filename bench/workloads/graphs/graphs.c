// SPDX-License-Identifier: Apache-2.0
// What a dependent task costs that does nothing, in graphs that repeat: a wavefront of 32 × 32, a blocked Cholesky
// factorisation of 5,984 tasks, and the path finder's 4,096 (P-SOCRATES, section 6.3.1). One producer, a region for
// each repetition; the time is that of one task. `_closed` says where the graph is recorded and replayed.
#include <stdlib.h>

#include "tulle/graph.h"
#include "measure.h"

enum { SIDE = 32, TILES = 32, BLOCKS = 16 };
enum { WAVEFRONT = SIDE * SIDE, CHOLESKY = TILES * (TILES + 1) * (TILES + 2) / 6, PATHS = BLOCKS * BLOCKS * BLOCKS };
enum { CLOSED = 1 };

static char front[SIDE + 1][SIDE + 1], matrix[TILES][TILES];
static char cube[BLOCKS + 1][BLOCKS + 1][BLOCKS + 1];

// A task is done once its order is right: each adds one to what it writes.
static void touch(char *written) { ++*written; }

static void create_wavefront(void) {
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : front[i - 1][j], front[i][j - 1]) depend(out : front[i][j])
      touch(&front[i][j]);
    }
}

static void create_cholesky(void) {
  for (int k = 0; k < TILES; k++) {
#pragma omp task depend(inout : matrix[k][k])
    touch(&matrix[k][k]);
    for (int i = k + 1; i < TILES; i++) {
#pragma omp task depend(in : matrix[k][k]) depend(inout : matrix[i][k])
      touch(&matrix[i][k]);
    }
    for (int i = k + 1; i < TILES; i++) {
      for (int j = k + 1; j < i; j++) {
#pragma omp task depend(in : matrix[i][k], matrix[j][k]) depend(inout : matrix[i][j])
        touch(&matrix[i][j]);
      }
#pragma omp task depend(in : matrix[i][k]) depend(inout : matrix[i][i])
      touch(&matrix[i][i]);
    }
  }
}

static void create_paths(void) {
  for (int i = 1; i <= BLOCKS; i++)
    for (int j = 1; j <= BLOCKS; j++)
      for (int k = 1; k <= BLOCKS; k++) {
#pragma omp task depend(in : cube[i - 1][j][k], cube[i][j - 1][k], cube[i][j][k - 1]) depend(out : cube[i][j][k])
        touch(&cube[i][j][k]);
      }
}

static void create(long tasks) {
  if (tasks == WAVEFRONT) create_wavefront();
  if (tasks == CHOLESKY) create_cholesky();
  if (tasks == PATHS) create_paths();
}

static char last_of(long tasks) {
  return tasks == WAVEFRONT ? front[SIDE][SIDE] : tasks == CHOLESKY ? (char)(matrix[TILES - 1][TILES - 1] / TILES)
                                                                    : cube[BLOCKS][BLOCKS][BLOCKS];
}

static void clear(long tasks) {
  if (tasks == WAVEFRONT) front[SIDE][SIDE] = 0;
  if (tasks == CHOLESKY) matrix[TILES - 1][TILES - 1] = 0;
  if (tasks == PATHS) cube[BLOCKS][BLOCKS][BLOCKS] = 0;
}

static void work(const Case *c) {
  clear(c->ops);
#pragma omp parallel
#pragma omp single
  {
    if (c->variant == CLOSED) {
      if (tulle_graph_begin((int)c->ops)) create(c->ops);
      tulle_graph_end();
    } else {
      create(c->ops);
    }
  }
}

static bool check(const Case *c) { return last_of(c->ops) == 1; }

static void setup(const Case *c) { note("tasks", (double)c->ops); }

#define GRAPH(title, tasks)                                                                    \
  {.name = "graph_" title, .setup = setup, .work = work, .check = check, .ops = tasks},        \
      {.name = "graph_" title "_closed", .setup = setup, .work = work, .check = check,         \
       .ops = tasks, .variant = CLOSED}

static const Case cases[] = {
    GRAPH("wavefront", WAVEFRONT), GRAPH("cholesky", CHOLESKY), GRAPH("pathfinding", PATHS), {0},
};
const Case *const case_tables[] = {cases, 0};
