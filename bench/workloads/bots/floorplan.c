// SPDX-License-Identifier: Apache-2.0
// floorplan: the smallest rectangle that holds all cells, by branch and bound; a task for each place of
// each shape of the next cell, pruned by the best area so far.
#include <stdatomic.h>
#include <string.h>

#include "tables.h"

enum { CELLS = 10, SHAPES = 2, BOARD = 32, DEPTH = 4 };

typedef struct Layout {
  uint32_t rows[BOARD];  // occupied squares
  int width, height;
} Layout;

static const unsigned char shapes[CELLS][SHAPES][2] = {
    {{5, 3}, {3, 5}}, {{2, 7}, {7, 2}}, {{3, 3}, {1, 9}}, {{4, 4}, {2, 8}},
    {{6, 1}, {2, 3}}, {{3, 4}, {4, 3}}, {{5, 2}, {2, 5}}, {{7, 1}, {1, 7}},
    {{4, 3}, {3, 4}}, {{3, 2}, {2, 3}},
};
static atomic_int smallest;
static int expected;

static uint32_t columns(int x, int width) { return ((1u << width) - 1u) << x; }

static bool fits(const Layout *l, int x, int y, int width, int height) {
  if (x + width > BOARD - 1 || y + height > BOARD) return false;
  for (int r = y; r < y + height; r++)
    if (l->rows[r] & columns(x, width)) return false;
  return true;
}

// A place worth trying leans on the border or on another cell at its left and below.
static bool leans(const Layout *l, int x, int y) {
  bool left = x == 0 || (l->rows[y] >> (x - 1) & 1u);
  bool below = y == 0 || (l->rows[y - 1] >> x & 1u);
  return left && below;
}

static void place_next(const Layout *l, int cell);

static void place(const Layout *l, int cell, int x, int y, int width, int height) {
  Layout next = *l;
  for (int r = y; r < y + height; r++) next.rows[r] |= columns(x, width);
  if (x + width > next.width) next.width = x + width;
  if (y + height > next.height) next.height = y + height;
  int area = next.width * next.height, best = atomic_load(&smallest);
  if (area >= best) return;
  if (cell + 1 < CELLS) {
    place_next(&next, cell + 1);
    return;
  }
  while (area < best && !atomic_compare_exchange_weak(&smallest, &best, area)) {
  }
}

static void place_next(const Layout *l, int cell) {
  for (int s = 0; s < SHAPES; s++) {
    int width = shapes[cell][s][0], height = shapes[cell][s][1];
    for (int y = 0; y <= l->height; y++)
      for (int x = 0; x <= l->width; x++) {
        if (!leans(l, x, y) || !fits(l, x, y, width, height)) continue;
#pragma omp task untied if (cell < DEPTH) firstprivate(l, cell, x, y, width, height)
        place(l, cell, x, y, width, height);
      }
  }
#pragma omp taskwait
}

static const Layout nothing;

static void setup(const Case *c) {
  (void)c;
  atomic_store(&smallest, BOARD * BOARD);
  place_next(&nothing, 0);
  expected = atomic_load(&smallest);
  note("area", expected);
}

static void work(const Case *c) {
  (void)c;
  atomic_store(&smallest, BOARD * BOARD);
#pragma omp parallel
#pragma omp single
  place_next(&nothing, 0);
}

// Which plan is found first varies, the area does not.
static bool check(const Case *c) {
  (void)c;
  return atomic_load(&smallest) == expected;
}

const Case floorplan_cases[] = {
    {.name = "bots_floorplan", .setup = setup, .work = work, .check = check}, {0}};
