// SPDX-License-Identifier: Apache-2.0
// Path planning in three dimensions with task dependences (P-SOCRATES, Figures 6.13b and 6.14b): the
// least cost of reaching each cell of a grid from one corner by steps in the three axes, block by
// block; a block waits for its three predecessors. The same grid is cut into 16 to 4,096 blocks.
// `_closed`: the graph is recorded and replayed; `_built`: built by hand; `_tasks`: without dependences, plane by
// plane of blocks that do not follow each other; `_loops`: these by worksharing loops.
#include <stdlib.h>
#include <string.h>

#include "tulle/graph.h"
#include "tulle/task_graph.h"
#include "measure.h"

enum { EDGE = 64, CELLS = EDGE * EDGE * EDGE };
enum { DYNAMIC, CLOSED, BUILT, TASKS, LOOPS };

static float *risk, *cost, *expected;
static int blocks[3];
static char *finished;  // one byte for each block and its border; only its address matters

static int cell(int x, int y, int z) { return (x * EDGE + y) * EDGE + z; }

static char *flag(int x, int y, int z) {
  return finished + (x * (blocks[1] + 1) + y) * (blocks[2] + 1) + z;
}

static float reach(int x, int y, int z) {
  float best = x + y + z == 0 ? 0.0f : INFINITY;
  if (x > 0) best = fminf(best, cost[cell(x - 1, y, z)]);
  if (y > 0) best = fminf(best, cost[cell(x, y - 1, z)]);
  if (z > 0) best = fminf(best, cost[cell(x, y, z - 1)]);
  return best + risk[cell(x, y, z)];
}

static void plan_block(int bx, int by, int bz) {
  int nx = EDGE / blocks[0], ny = EDGE / blocks[1], nz = EDGE / blocks[2];
  for (int x = bx * nx; x < (bx + 1) * nx; x++)
    for (int y = by * ny; y < (by + 1) * ny; y++)
      for (int z = bz * nz; z < (bz + 1) * nz; z++) cost[cell(x, y, z)] = reach(x, y, z);
}

static void create(void) {
  for (int x = 0; x < blocks[0]; x++)
    for (int y = 0; y < blocks[1]; y++)
      for (int z = 0; z < blocks[2]; z++) {
#pragma omp task firstprivate(x, y, z) depend(out : *flag(x + 1, y + 1, z + 1)) \
    depend(in : *flag(x, y + 1, z + 1), *flag(x + 1, y, z + 1), *flag(x + 1, y + 1, z))
        plan_block(x, y, z);
      }
}

static void create_closed(void) {
  if (tulle_graph_begin(blocks[0] * blocks[1] * blocks[2])) create();
  tulle_graph_end();
}

// --- by planes: the blocks whose x + y + z is the same ---

static int planes(void) { return blocks[0] + blocks[1] + blocks[2] - 2; }

static bool in_plane(int plane, int x, int y, int *z) {
  *z = plane - x - y;
  return *z >= 0 && *z < blocks[2];
}

static void create_without_dependences(void) {
  for (int plane = 0; plane < planes(); plane++) {
    for (int x = 0; x < blocks[0]; x++)
      for (int y = 0, z; y < blocks[1]; y++) {
        if (!in_plane(plane, x, y, &z)) continue;
#pragma omp task firstprivate(x, y, z)
        plan_block(x, y, z);
      }
#pragma omp taskwait
  }
}

// By the whole team.
static void share_planes(void) {
  for (int plane = 0; plane < planes(); plane++)
#pragma omp for schedule(dynamic) collapse(2)
    for (int x = 0; x < blocks[0]; x++)
      for (int y = 0; y < blocks[1]; y++) {
        int z;
        if (in_plane(plane, x, y, &z)) plan_block(x, y, z);
      }
}

// --- the graph by hand ---

static struct tulle_task_graph *built;

static void plan_task(void *data) {
  const int *at = data;
  plan_block(at[0], at[1], at[2]);
}

static uint64_t number(int x, int y, int z) { return (uint64_t)((x * blocks[1] + y) * blocks[2] + z); }

static void build_block(int x, int y, int z) {
  int at[3] = {x, y, z};
  uint64_t task = tulle_task_graph_add(built, 0, NULL, 0, plan_task, at, sizeof at);
  if (x > 0) tulle_task_graph_add_edge(built, number(x - 1, y, z), task);
  if (y > 0) tulle_task_graph_add_edge(built, number(x, y - 1, z), task);
  if (z > 0) tulle_task_graph_add_edge(built, number(x, y, z - 1), task);
}

static void run_built(void) {
  if (!built && (built = tulle_task_graph_create(0, 0)))
    for (int x = 0; x < blocks[0]; x++)
      for (int y = 0; y < blocks[1]; y++)
        for (int z = 0; z < blocks[2]; z++) build_block(x, y, z);
  if (tulle_task_graph_run(built) != 0) create();  // another runtime
}

static void by_producer(int variant) {
  switch (variant) {
    case CLOSED: create_closed(); break;
    case BUILT: run_built(); break;
    case TASKS: create_without_dependences(); break;
    default: create();
  }
}

static void work(const Case *c) {
#pragma omp parallel
  if (c->variant == LOOPS) {
    share_planes();
  } else {
#pragma omp single
    by_producer(c->variant);
  }
}

static void setup(const Case *c) {
  long left = c->size;
  blocks[0] = blocks[1] = blocks[2] = 1;
  for (int axis = 0; left > 1; axis = (axis + 1) % 3, left /= 2) blocks[axis] *= 2;
  risk = malloc(CELLS * sizeof *risk);
  cost = malloc(CELLS * sizeof *cost);
  expected = malloc(CELLS * sizeof *expected);
  finished = calloc((size_t)(blocks[0] + 1) * (size_t)(blocks[1] + 1), (size_t)(blocks[2] + 1));
  if (!risk || !cost || !expected || !finished) abort();
  for (int i = 0; i < CELLS; i++) risk[i] = 1.0f + (float)((unsigned)i * 2654435761u >> 24);
  for (int x = 0; x < EDGE; x++)
    for (int y = 0; y < EDGE; y++)
      for (int z = 0; z < EDGE; z++) cost[cell(x, y, z)] = reach(x, y, z);
  memcpy(expected, cost, CELLS * sizeof *cost);
  for (int i = 0; i < CELLS; i++) cost[i] = 0.0f;
}

static bool check(const Case *c) {
  (void)c;
  bool correct = memcmp(cost, expected, CELLS * sizeof *cost) == 0;
  for (int i = 0; i < CELLS; i++) cost[i] = 0.0f;
  return correct;
}

#define PATHS_AS(tasks, suffix, kind) \
  {.name = "pathfinding_" #tasks suffix, .setup = setup, .work = work, .check = check, .size = tasks, .variant = kind}
#define PATHS(tasks)                                                                                        \
  PATHS_AS(tasks, "", DYNAMIC), PATHS_AS(tasks, "_closed", CLOSED), PATHS_AS(tasks, "_built", BUILT),         \
      PATHS_AS(tasks, "_tasks", TASKS), PATHS_AS(tasks, "_loops", LOOPS)

static const Case cases[] = {PATHS(16), PATHS(64), PATHS(256), PATHS(1024), PATHS(4096), {0}};
const Case *const case_tables[] = {cases, 0};
