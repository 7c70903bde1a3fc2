// SPDX-License-Identifier: Apache-2.0
// Graphs that a program builds by hand (include/tulle/task_graph.h). usage: task_graph [THREADS]; C17 and C++20.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"
#include "tulle/task_graph.h"

enum { SIDE = 20, TIMES = 15, CONSTRUCTS = 3 };

struct cell {
  unsigned i, j;
};

static unsigned grid[SIDE + 1][SIDE + 1];

static void compute(void *data) {
  struct cell *cell = (struct cell *)data;
  grid[cell->i][cell->j] = 3 * grid[cell->i - 1][cell->j] + grid[cell->i][cell->j - 1];
  cell->i = cell->j = 0;  // a copy
}

static struct tulle_task_graph *wavefront(void) {
  struct tulle_task_graph *graph = tulle_task_graph_create(CONSTRUCTS, SIDE);
  uint64_t id[SIDE][SIDE];
  for (unsigned i = 0; i < SIDE; i++)
    for (unsigned j = 0; j < SIDE; j++) {
      unsigned loops[2] = {i, j};
      struct cell cell = {i + 1, j + 1};
      id[i][j] = tulle_task_graph_add(graph, 1, loops, 2, compute, &cell, sizeof cell);
      EXPECT_EQ(id[i][j], 1 + CONSTRUCTS * (i * SIDE + j * SIDE * SIDE));
      if (i > 0) tulle_task_graph_add_edge(graph, id[i - 1][j], id[i][j]);
      if (j > 0) tulle_task_graph_add_edge(graph, id[i][j - 1], id[i][j]);
    }
  EXPECT_EQ(tulle_task_graph_bytes(graph), 0);
  return graph;
}

static unsigned expected_end(unsigned seed) {
  unsigned row[SIDE + 1];
  for (unsigned j = 0; j <= SIDE; j++) row[j] = seed + j;
  for (unsigned i = 1; i <= SIDE; i++) {
    row[0] = seed + i;
    for (unsigned j = 1; j <= SIDE; j++) row[j] = 3 * row[j] + row[j - 1];
  }
  return row[SIDE];
}

static void run_wavefront(struct tulle_task_graph *graph, unsigned seed) {
  for (unsigned i = 0; i <= SIDE; i++)
    for (unsigned j = 0; j <= SIDE; j++) grid[i][j] = i == 0 || j == 0 ? seed + i + j : 0;
  EXPECT_EQ(tulle_task_graph_run(graph), 0);
  EXPECT_EQ(grid[SIDE][SIDE], expected_end(seed));
}

static int sum;

static void leave_children_behind(void *data) {
  int number = *(int *)data;
  for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(number)
    {
#pragma omp taskyield
#pragma omp atomic
      sum += number;
    }
  }
}

// Several threads run one graph at the same time; what its tasks create is complete when it returns.
static void many_at_once(int threads) {
  struct tulle_task_graph *graph = tulle_task_graph_create(0, 0);
  for (int i = 1; i <= 10; i++)
    EXPECT_EQ(tulle_task_graph_add(graph, 0, NULL, 0, leave_children_behind, &i, sizeof i), i - 1);
  for (uint64_t i = 1; i < 10; i += 2) tulle_task_graph_add_edge(graph, i - 1, i);
  int before = sum = 0;
#pragma omp parallel num_threads(threads)
  {
    EXPECT_EQ(tulle_task_graph_run(graph), 0);
#pragma omp atomic
    before += 3 * 55;
  }
  EXPECT_EQ(sum, before);
  EXPECT_EQ(tulle_task_graph_bytes(graph) > 0, 1);
  tulle_task_graph_destroy(graph);
}

static void nothing(void *data) { (void)data; }

// What cannot be run says why, once, and runs nothing.
static void wrong(const char *how) {
  struct tulle_task_graph *graph = tulle_task_graph_create(CONSTRUCTS, SIDE);
  unsigned loops[] = {2, 1}, beyond[] = {SIDE};
  uint64_t first = tulle_task_graph_add(graph, 0, loops, 2, nothing, NULL, 0);
  uint64_t second = tulle_task_graph_add(graph, 1, loops, 2, nothing, NULL, 0);
  switch (*how) {
    case 't': EXPECT_EQ(tulle_task_graph_add(graph, 1, loops, 2, nothing, NULL, 0), second); break;
    case 'b': EXPECT_EQ(tulle_task_graph_add(graph, 0, beyond, 1, nothing, NULL, 0), TULLE_NO_TASK); break;
    case 'c': EXPECT_EQ(tulle_task_graph_add(graph, CONSTRUCTS, loops, 1, nothing, NULL, 0), TULLE_NO_TASK); break;
    case 'u': tulle_task_graph_add_edge(graph, first, second + 7); break;
    case 'o': tulle_task_graph_add_edge(graph, second, first); break;
    case 'l':
      EXPECT_EQ(tulle_task_graph_run(graph), 0);
      EXPECT_EQ(tulle_task_graph_add(graph, 0, loops, 1, nothing, NULL, 0), TULLE_NO_TASK);
      EXPECT_EQ(tulle_task_graph_run(graph), 0);
      exit(0);
  }
  EXPECT_EQ(tulle_task_graph_run(graph), -1);
  EXPECT_EQ(tulle_task_graph_run(graph), -1);
  tulle_task_graph_destroy(graph);
  exit(0);
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  struct tulle_task_graph *graph = tulle_task_graph_create(0, 0);
  if (graph == NULL) {
    EXPECT_EQ(tulle_task_graph_add(graph, 0, NULL, 0, nothing, NULL, 0), TULLE_NO_TASK);
    tulle_task_graph_add_edge(graph, 0, 1);
    EXPECT_EQ(tulle_task_graph_run(graph), -1);
    tulle_task_graph_destroy(graph);
    puts("elsewhere");
    return 0;
  }
  if (threads == 0) wrong(argv[1]);
  EXPECT_EQ(tulle_task_graph_run(graph), 0);  // empty
  tulle_task_graph_destroy(graph);
  graph = wavefront();
  run_wavefront(graph, 5);  // outside of regions
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (unsigned r = 0; r < TIMES; r++) run_wavefront(graph, r);
  tulle_task_graph_destroy(graph);
  many_at_once(threads);
  puts("replayed");
  return 0;
}
