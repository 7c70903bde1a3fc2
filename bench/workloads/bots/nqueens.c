// SPDX-License-Identifier: Apache-2.0
// nqueens: all placements of ten queens, a task for each partial placement down to a depth.
#include <string.h>

#include "tables.h"

enum { QUEENS = 10, SOLUTIONS = 724, DEPTH = 4 };

static int result;

static bool is_safe(const signed char *rows, int column, int row) {
  for (int i = 0; i < column; i++) {
    int apart = column - i, between = rows[i] - row;
    if (between == 0 || between == apart || between == -apart) return false;
  }
  return true;
}

static int place(const signed char *rows, int column) {
  if (column == QUEENS) return 1;
  int found[QUEENS] = {0}, sum = 0;
  for (int row = 0; row < QUEENS; row++) {
    if (!is_safe(rows, column, row)) continue;
#pragma omp task untied if (column < DEPTH) shared(found) firstprivate(rows, column, row)
    {
      signed char next[QUEENS];
      memcpy(next, rows, (size_t)column);
      next[column] = (signed char)row;
      found[row] = place(next, column + 1);
    }
  }
#pragma omp taskwait
  for (int row = 0; row < QUEENS; row++) sum += found[row];
  return sum;
}

static void work(const Case *c) {
  (void)c;
  const signed char none[QUEENS] = {0};
#pragma omp parallel
#pragma omp single
  result = place(none, 0);
}

static bool check(const Case *c) {
  (void)c;
  return result == SOLUTIONS;
}

const Case nqueens_cases[] = {{.name = "bots_nqueens", .work = work, .check = check}, {0}};
